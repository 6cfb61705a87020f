/// vsftpd, whose guests have the test's password: so it needs no user of the system, and no PAM.
enum VsftpdRecipe {
    static func prepare(
        _ files: ServerFolder,
        port: Int,
        _ security: FTPServerSecurity,
        _ extras: [String]
    ) throws -> PreparedFTPServer {
        let program = try ServerCommand.findUnpacked("vsftpd", packages: "vsftpd")
        try files.write(ServerFolder.password + "\n", to: "passwords")
        let tls = [
            "ssl_enable=YES", "allow_anon_ssl=YES", "force_anon_logins_ssl=YES", "force_anon_data_ssl=YES",
            "rsa_cert_file=\(files.path("both.pem"))", "ssl_tlsv1=NO", "ssl_ciphers=HIGH", "require_ssl_reuse=YES",
        ]
        // The jail's top can't be writable: it is the folder above.
        let configuration =
            [
                "listen=YES", "background=NO", "listen_address=127.0.0.1", "listen_port=\(port)",
                "pasv_address=127.0.0.1", "anonymous_enable=YES", "local_enable=NO", "write_enable=YES",
                "anon_upload_enable=YES", "anon_mkdir_write_enable=YES", "anon_other_write_enable=YES",
                "anon_world_readable_only=NO", "anon_umask=022", "anon_root=\(files.path)",
                "ftp_username=\(files.owner?.name ?? "nobody")", "secure_email_list_enable=YES",
                "email_password_file=\(files.path("passwords"))", "secure_chroot_dir=\(files.path("up"))",
                "file_open_mode=0666", "utf8_filesystem=YES", "seccomp_sandbox=NO", "isolate=NO", "isolate_network=NO",
                "xferlog_enable=NO", "delay_failed_login=0", "delay_successful_login=0", "max_login_fails=1000",
            ] + (security == .plain ? [] : tls) + (security == .implicit ? ["implicit_ssl=YES"] : []) + extras
        try files.write(configuration.joined(separator: "\n") + "\n", to: "vsftpd.conf")
        return PreparedFTPServer(
            command: ServerCommand(program, [files.path("vsftpd.conf")]),
            user: "anonymous",
            // The served folder, which is called `root`, below the jail's top.
            path: "/root/"
        )
    }
}
