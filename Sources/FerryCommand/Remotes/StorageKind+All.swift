import FerryCore
import FerryDropbox
import FerryFTP
import FerryMemory
import FerryOneDrive
import FerrySFTP
import FerryWebDAV

extension StorageKind {
    /// The kinds of storages that this program offers; no other file names one of them.
    static let all: [StorageKind] = [.webDAV, .nextcloud, .sftp, .ftp, .dropbox, .oneDrive, .memory]
}
