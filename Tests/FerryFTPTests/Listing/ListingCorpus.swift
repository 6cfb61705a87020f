import FerryCore
import Testing

/// Lines of listings as kinds of servers write them, and what is in them.
struct ListingLine: Sendable, CustomTestStringConvertible {
    let server: String
    let line: String
    let name: String
    let kind: FileObject.Kind
    var size: Int64?
    /// `YYYY-MM-DD HH:MM:SS`, by the clock that the line was read from.
    var date: String?
    var permissions: UInt16?
    var owner: String?
    var target: String?

    var testDescription: String { "\(server): \(line)" }

    /// The moment at which the lines without a year are read: 2026-11-26 12:00:00 UTC.
    static let now = 1_795_694_400.0

    init(
        _ server: String,
        _ line: String,
        _ name: String,
        _ kind: FileObject.Kind = .file,
        _ size: Int64? = nil,
        _ date: String? = nil,
        permissions: UInt16? = nil,
        owner: String? = nil,
        target: String? = nil
    ) {
        (self.server, self.line, self.name, self.kind, self.size, self.date) = (server, line, name, kind, size, date)
        (self.permissions, self.owner, self.target) = (permissions, owner, target)
    }

    static let all: [ListingLine] = unix + locales + microsoft + others

    private static let unix: [ListingLine] = [
        .init(
            "vsftpd",
            "-rw-r--r--    1 33       33              6 Nov 26 07:35 h2",
            "h2",
            .file,
            6,
            "2026-11-26 07:35:00",
            permissions: 0o644,
            owner: "33"
        ),
        .init(
            "vsftpd",
            "drwxr-xr-x    2 33       33           4096 Nov 26 07:35 pub",
            "pub",
            .directory,
            nil,
            "2026-11-26 07:35:00",
            permissions: 0o755
        ),
        .init(
            "vsftpd, old",
            "-rw-r--r--    1 33       33              6 Jan 02  2020 old.txt",
            "old.txt",
            .file,
            6,
            "2020-01-02 00:00:00"
        ),
        .init(
            "ProFTPD",
            "-rw-r--r--   1 ferry    ferry        1024 Nov 25 23:59 report.pdf",
            "report.pdf",
            .file,
            1024,
            "2026-11-25 23:59:00",
            owner: "ferry"
        ),
        .init(
            "ProFTPD, folder",
            "drwxrwxr-x   3 ferry    ferry        4096 Feb 29  2024 leap year",
            "leap year",
            .directory,
            nil,
            "2024-02-29 00:00:00"
        ),
        .init(
            "Pure-FTPd",
            "-rw-r--r--    1 1000       users            34 Dec 31 23:00 last year.txt",
            "last year.txt",
            .file,
            34,
            "2025-12-31 23:00:00"
        ),
        .init(
            "Pure-FTPd, next day",
            "-rw-r--r--    1 1000       users            34 Nov 27 01:00 tomorrow",
            "tomorrow",
            .file,
            34,
            "2026-11-27 01:00:00"
        ),
        .init("spaces at the ends", "-rw-r--r--   1 a b 5 Nov 26 07:35  two  spaces ", " two  spaces ", .file, 5),
        .init("an arrow in a file's name", "-rw-r--r--   1 a b 5 Nov 26 07:35 a -> b", "a -> b", .file, 5),
        .init(
            "a link",
            "lrwxrwxrwx   1 root root 11 Nov 26 07:35 link -> target file",
            "link",
            .symlink,
            nil,
            target: "target file"
        ),
        .init(
            "a link with an arrow in its name",
            "lrwxrwxrwx   1 root root 1 Nov 26 07:35 a -> b -> c",
            "a -> b",
            .symlink,
            nil,
            target: "c"
        ),
        .init(
            "a link without a known length",
            "lrwxrwxrwx   1 root root 99 Nov 26 07:35 a -> b",
            "a",
            .symlink,
            nil,
            target: "b"
        ),
        .init(
            "without a group",
            "-rw-r--r--   1 ferry        4096 Nov 26 07:35 nogroup",
            "nogroup",
            .file,
            4096,
            owner: "ferry"
        ),
        .init("without owner and group", "-rw-r--r--   1        4096 Nov 26 07:35 nobody", "nobody", .file, 4096),
        .init(
            "a group with a space",
            "-rw-r--r--   1 ferry domain users 77 Nov 26 07:35 space.doc",
            "space.doc",
            .file,
            77
        ),
        .init(
            "a user with a backslash",
            "-rw-r--r--   1 CORP\\ferry CORP\\all 77 Nov 26 07:35 x",
            "x",
            .file,
            77,
            owner: "CORP\\ferry"
        ),
        .init("access lists", "-rw-r--r--+  1 ferry staff 12 Nov 26 07:35 acl", "acl", .file, 12, permissions: 0o644),
        .init("security labels", "-rw-r--r--.  1 ferry staff 12 Nov 26 07:35 label", "label", .file, 12),
        .init("macOS", "-rw-r--r--@  1 ferry  staff  12 Nov 26 07:35 xattr", "xattr", .file, 12),
        .init("set-user-ID", "-rwsr-sr-t   1 root root 12 Nov 26 07:35 suid", "suid", .file, 12, permissions: 0o7755),
        .init(
            "set-user-ID without execute",
            "-rwSr-Sr-T   1 root root 12 Nov 26 07:35 suid",
            "suid",
            .file,
            12,
            permissions: 0o7644
        ),
        .init("a device", "crw-rw----   1 root tty 4,  64 Nov 26 07:35 ttyS0", "ttyS0", .other),
        .init("a block device", "brw-rw----   1 root disk 8, 0 Nov 26 07:35 sda", "sda", .other),
        .init("a pipe", "prw-r--r--   1 root root 0 Nov 26 07:35 fifo", "fifo", .other),
        .init("a socket", "srwxrwxrwx   1 root root 0 Nov 26 07:35 sock", "sock", .other),
        .init(
            "a large file",
            "-rw-r--r--   1 a b 109951162777600 Nov 26 07:35 huge",
            "huge",
            .file,
            109_951_162_777_600
        ),
        .init(
            "full-iso",
            "-rw-r--r-- 1 a b 9 2026-11-26 07:35:10.123456789 +0100 iso",
            "iso",
            .file,
            9,
            "2026-11-26 06:35:10"
        ),
        .init("long-iso", "-rw-r--r-- 1 a b 9 2026-11-26 07:35 iso2", "iso2", .file, 9, "2026-11-26 07:35:00"),
        .init("time and year", "-rw-r--r-- 1 a b 9 Nov 26 07:35:11 2019 bsd", "bsd", .file, 9, "2019-11-26 07:35:11"),
        .init(
            "day before month",
            "-rw-r--r-- 1 a b 9 26 Nov 07:35 british",
            "british",
            .file,
            9,
            "2026-11-26 07:35:00"
        ),
        .init(
            "day before month, year",
            "-rw-r--r-- 1 a b 9 26 Nov 2019 british",
            "british",
            .file,
            9,
            "2019-11-26 00:00:00"
        ),
        .init("a short hour", "-rw-r--r-- 1 a b 9 Nov 26  7:35 short", "short", .file, 9, "2026-11-26 07:35:00"),
        .init("a name like a date", "-rw-r--r-- 1 a b 9 Nov 26 07:35 Nov 26 07:35 x", "Nov 26 07:35 x", .file, 9),
        .init("a name like a size", "-rw-r--r-- 1 a b 9 Nov 26 07:35 12 Jan 2020", "12 Jan 2020", .file, 9),
        .init(
            "wu-ftpd",
            "-r--r--r--   1 0        1         18864016 May 28  2003 ls-lR.Z",
            "ls-lR.Z",
            .file,
            18_864_016,
            "2003-05-28 00:00:00"
        ),
        .init("Hellsoft", "-[RWCEAFMS] ferry 286 Oct 26  2024 f.ini", "f.ini", .file, 286, "2024-10-26 00:00:00"),
        .init(
            "a printer",
            "-r--r--r--   1 owner   group          0 Jan  1  1980 PORT1",
            "PORT1",
            .file,
            0,
            "1980-01-01 00:00:00"
        ),
        .init("a camera", "drwxrwxrwx   1 ftp ftp 0 Nov 26 07:35 DCIM", "DCIM", .directory, nil),
        .init("Serv-U", "drwxrw-rw-   1 user     group           0 Nov 10 14:25 .", ".", .directory),
        .init(
            "FileZilla Server",
            "drwxr-xr-x 1 ftp ftp              0 Oct 05  2024 New folder",
            "New folder",
            .directory,
            nil,
            "2024-10-05 00:00:00"
        ),
        .init(
            "combining letters",
            "-rw-r--r-- 1 a b 9 Nov 26 07:35 re\u{301}sume\u{301}",
            "re\u{301}sume\u{301}",
            .file,
            9
        ),
        .init("a hyphen", "-rw-r--r-- 1 a b 9 Nov 26 07:35 -rf", "-rf", .file, 9),
    ]

    private static let locales: [ListingLine] = [
        .init("German", "-rw-r--r-- 1 a b 9 26. Nov 07:35 de", "de", .file, 9, "2026-11-26 07:35:00"),
        .init("German, March", "-rw-r--r-- 1 a b 9 Mär 26 07:35 de", "de", .file, 9, "2026-03-26 07:35:00"),
        .init("German, December", "-rw-r--r-- 1 a b 9 31. Dez 2019 de", "de", .file, 9, "2019-12-31 00:00:00"),
        .init("French", "-rw-r--r-- 1 a b 9 févr. 26 2019 fr", "fr", .file, 9, "2019-02-26 00:00:00"),
        .init("French, August", "-rw-r--r-- 1 a b 9 août 26 07:35 fr", "fr", .file, 9, "2026-08-26 07:35:00"),
        .init("Spanish", "-rw-r--r-- 1 a b 9 ene 26 07:35 es", "es", .file, 9, "2026-01-26 07:35:00"),
        .init("Italian", "-rw-r--r-- 1 a b 9 gen 26 07:35 it", "it", .file, 9, "2026-01-26 07:35:00"),
        .init("Dutch", "-rw-r--r-- 1 a b 9 mrt 26 2018 nl", "nl", .file, 9, "2018-03-26 00:00:00"),
        .init("Polish", "-rw-r--r-- 1 a b 9 paź 26 2018 pl", "pl", .file, 9, "2018-10-26 00:00:00"),
        .init("Japanese", "-rw-r--r-- 1 a b 9 11月 26日 07:35 ja", "ja", .file, 9, "2026-11-26 07:35:00"),
        .init("Japanese, year", "-rw-r--r-- 1 a b 9 11月 26日 2019年 ja", "ja", .file, 9, "2019-11-26 00:00:00"),
        .init("Chinese", "-rw-r--r-- 1 a b 9 11月 26 07:35 zh", "zh", .file, 9, "2026-11-26 07:35:00"),
    ]

    private static let microsoft: [ListingLine] = [
        .init(
            "IIS",
            "11-26-26  07:35AM       <DIR>          wwwroot",
            "wwwroot",
            .directory,
            nil,
            "2026-11-26 07:35:00"
        ),
        .init(
            "IIS, file",
            "11-26-26  07:35PM              1234567 big file.zip",
            "big file.zip",
            .file,
            1_234_567,
            "2026-11-26 19:35:00"
        ),
        .init(
            "IIS, four digits",
            "11-26-2026  12:05AM                    5 midnight",
            "midnight",
            .file,
            5,
            "2026-11-26 00:05:00"
        ),
        .init("IIS, noon", "11-26-26  12:05PM                    5 noon", "noon", .file, 5, "2026-11-26 12:05:00"),
        .init("last century", "02-25-98  07:35AM                    5 old", "old", .file, 5, "1998-02-25 07:35:00"),
        .init(
            "DOS, 24 hours",
            "2026-11-26  19:35       <DIR>          iso",
            "iso",
            .directory,
            nil,
            "2026-11-26 19:35:00"
        ),
        .init(
            "DOS, commas",
            "11/26/2026  07:35 PM         1,234,567 commas",
            "commas",
            .file,
            1_234_567,
            "2026-11-26 19:35:00"
        ),
        .init(
            "Windows, a link",
            "11-26-26  07:35AM       <SYMLINKD>     link [C:\\target]",
            "link",
            .symlink,
            nil,
            target: "C:\\target"
        ),
        .init(
            "Windows, a junction",
            "11-26-26  07:35AM       <JUNCTION>     Documents [D:\\x]",
            "Documents",
            .symlink,
            nil,
            target: "D:\\x"
        ),
        .init("Windows CE", "11-26-26  07:35AM                    0 a  b", "a  b", .file, 0),
    ]

    private static let others: [ListingLine] = [
        .init("EPLF", "+i8388621.48594,m825718503,r,s280,\tdjb.html", "djb.html", .file, 280, "1996-03-01 22:15:03"),
        .init("EPLF, folder", "+i8388621.50690,m824255907,/,\t514", "514", .directory, nil, "1996-02-13 23:58:27"),
        .init(
            "EPLF, permissions",
            "+i1,m824255902,r,s10376,up644,\tRFCEPLF",
            "RFCEPLF",
            .file,
            10_376,
            permissions: 0o644
        ),
        .init(
            "OpenVMS",
            "CII-MANUAL.TEX;1  213/216  29-JAN-2020 03:33:12  [ANONYMOU,ANONYMOUS]   (RWED,RWED,,)",
            "CII-MANUAL.TEX",
            .file,
            nil,
            "2020-01-29 03:33:12"
        ),
        .init(
            "OpenVMS, folder",
            "CORE.DIR;1          1/1   8-SEP-2019 16:09  [SYSTEM] (RWE,RWE,RE,RE)",
            "CORE",
            .directory,
            nil,
            "2019-09-08 16:09:00"
        ),
        .init(
            "OpenVMS, refused",
            "SECRET.TXT;3 %RMS-E-PRV, insufficient privilege or file protection violation",
            "SECRET.TXT",
            .file
        ),
        .init(
            "NetWare",
            "d [R----F--] supervisor            512       Jan 16 18:53    login",
            "login",
            .directory,
            nil,
            "2026-01-16 18:53:00",
            owner: "supervisor"
        ),
        .init(
            "NetWare, file",
            "- [RWCEAFMS] rhesus             214059       Oct 20 15:27    cx.exe",
            "cx.exe",
            .file,
            214_059,
            "2026-10-20 15:27:00",
            owner: "rhesus"
        ),
        .init("NetWare, glued", "d[RWCEMFA] Admin 512 Oct 13 2004 PSI", "PSI", .directory, nil, "2004-10-13 00:00:00"),
    ]

    /// Lines of `MLSD`.
    static let facts: [ListingLine] = [
        .init(
            "Pure-FTPd",
            "type=file;size=6;modify=20261126073501;UNIX.mode=0644;UNIX.uid=33;UNIX.gid=33;unique=fe01g24; h2",
            "h2",
            .file,
            6,
            "2026-11-26 07:35:01",
            permissions: 0o644,
            owner: "33"
        ),
        .init(
            "ProFTPD",
            "modify=20261126073501;perm=adfrw;size=6;type=file;unique=801U1;UNIX.group=33;UNIX.mode=0644;UNIX.owner=33; a b",
            "a b",
            .file,
            6,
            "2026-11-26 07:35:01"
        ),
        .init(
            "pyftpdlib",
            "modify=20261126073501;perm=elcmdf;type=dir;unique=801; sub",
            "sub",
            .directory,
            nil,
            "2026-11-26 07:35:01"
        ),
        .init("capitals", "Type=FILE;Size=6;Modify=20261126073501.250; x", "x", .file, 6, "2026-11-26 07:35:01"),
        .init("a link", "type=OS.unix=slink:/tmp/x;size=4; l", "l", .symlink, nil, target: "/tmp/x"),
        .init("a device", "type=OS.unix=chr-4/64;size=4; tty", "tty", .other),
        .init("itself", "type=cdir;modify=20261126073501; /", "/", .directory),
        .init("a semicolon in a name", "type=file;size=1; a;b=c", "a;b=c", .file, 1),
        .init("a space first", "type=file;size=1;  x", " x", .file, 1),
        .init(
            "the year 2000's fault",
            "type=file;size=1;modify=191001231120000; y",
            "y",
            .file,
            1,
            "2000-12-31 12:00:00"
        ),
        .init("media types", "type=file;media-type=text/plain;lang=en;charset=UTF-8;size=1; m", "m", .file, 1),
    ]
}
