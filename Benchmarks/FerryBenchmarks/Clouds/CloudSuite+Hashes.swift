extension CloudSuite {
    /// The hashes by which services prove that a file has arrived, on one core.
    var hashes: [Benchmark] {
        // The same function of the same library, on blocks of 16 KiB; the bytes of a second become seconds for a GiB.
        let openssl =
            #"openssl speed -mr -seconds 1 -bytes 16384 -evp sha256 2>/dev/null | "#
            + #"awk -F: '/^\+F/ { printf "%.6f", 1073741824 / $4 }'"#
        return [
            Benchmark(
                name: "clouds-hash-dropbox",
                title: "Dropbox's `content_hash`, of 1 GiB in memory",
                contenders: [
                    hash("dropbox"),
                    Contender(name: "openssl speed -evp sha256", command: ["sh", "-c", openssl], reportsValue: true),
                ],
                // At least 0.9 of its speed.
                targets: [.ratio(to: "openssl speed -evp sha256", atMost: 1.11)]
            ),
            Benchmark(
                name: "clouds-hash-onedrive",
                title: "OneDrive's QuickXorHash, of 1 GiB in memory",
                contenders: [hash("quickxor")],
                // At least 1 GB/s.
                targets: [.value(atMost: 1.073)]
            ),
        ]
    }

    private func hash(_ algorithm: String) -> Contender {
        Contender(
            name: "ferry",
            command: [programs.measurements, "hash-speed", algorithm, String(scale.cachedFileSize)],
            reportsValue: true
        )
    }
}
