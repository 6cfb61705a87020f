import FerryCloudLab
import Foundation
import Synchronization
import Testing

/// The job that people wrote queues of operations for: the whole folder, a few files at a time, and again after a crash.
@Suite("A folder tree of a cloud service")
struct CloudTreeTests {
    private static let fileCount = 300
    private static let lanes = 4

    /// The small files that are put to their places together, at most: until then they are under way as well.
    private static let portion = 64

    /// A lab with the pages of real services.
    private static let options: CloudLab.Options = {
        var options = CloudLab.Options()
        options.clock = .running()
        options.dropbox.pageSize = 500
        options.graph.pageSize = 200
        return options
    }()

    /// Makes a tree as the bundles of apps and documents are: many small files, some large ones, deep folders.
    private func grow(_ storage: CloudStorage) throws -> [String: Data] {
        let folders = [
            "Contents", "Contents/Resources/en.lproj", "Contents/Resources/de.lproj", "Contents/Frameworks/A/B",
        ]
        var files: [String: Data] = [:]
        for number in 0..<Self.fileCount {
            let name = "\(folders[number % folders.count])/file \(number).dat"
            let size = number % 50 == 0 ? 300_000 : (number * 397) % 9_000
            files[name] = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &+ number) })
        }
        for (name, data) in files { try storage.write(data, to: "/Album/\(name)") }
        return files
    }

    @Test("gets another spelling of its name", arguments: CloudAccount.all)
    func spelling(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let storage = account.storage(lab)
            try storage.write(Data("a".utf8), to: "/Album/a")
            try storage.write(Data("b".utf8), to: "/Other/b")
            let outcome = try await sandbox.bash(
                "ferry mv cloud:Album cloud:album >&2; ferry mv cloud:Other cloud:album >&2"
            )
            #expect(outcome.code == 0, "\(outcome)")
            // Into a folder that is another one, a folder goes as ever.
            #expect(storage.entries.map(\.path) == ["/album", "/album/a", "/album/Other", "/album/Other/b"])
        }
    }

    @Test("is fetched as many files at a time as was said, and no more", arguments: CloudAccount.all)
    func lanes(account: CloudAccount) async throws {
        var options = Self.options
        // Longer than a client takes between two requests, so that they meet.
        options.latency = .milliseconds(100)
        try await withCloudLab(options) { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            for number in 0..<60 {
                try account.storage(lab).write(Data("\(number)".utf8), to: "/Album/\(number).dat")
            }
            lab.journal.removeAll()
            let outcome = try await sandbox.ferry("cp", "-r", "--transfers", "\(Self.lanes)", "cloud:Album", ".")
            #expect(outcome.code == 0, "\(outcome)")
            for route in account.downloadRoutes {
                let most = lab.journal.mostAtOnce(route: route)
                #expect(most > 1 && most <= Self.lanes, "\(route): \(most)")
            }
        }
    }

    @Test(
        "is killed on its way, goes on, and fetches nothing twice but what was under way",
        arguments: CloudAccount.all
    )
    func killed(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let files = try grow(account.storage(lab))
            let count = Mutex(0)
            let isFetch: @Sendable (Exchange) -> Bool = {
                account.downloadRoutes.contains($0.route) && $0.status == 200
            }
            let pidFile = sandbox.path + "/pid"
            lab.journal.observe { exchange in
                guard isFetch(exchange),
                    count.withLock({
                        $0 += 1; return $0
                    }) == Self.fileCount / 2
                else { return }
                let text = FileManager.default.contents(atPath: pidFile) ?? Data()
                if let process = pid_t(String(decoding: text, as: UTF8.self)) { kill(process, SIGKILL) }
            }
            let copy = "cp -r --transfers \(Self.lanes) cloud:Album ."
            let killed = try await sandbox.bash("printf %s $$ > pid; exec \"$FERRY\" \(copy)")
            #expect(killed.code == 128 + SIGKILL, "\(killed)")
            let first = lab.journal.exchanges.count(where: isFetch)
            #expect(first >= Self.fileCount / 2 && first < Self.fileCount)
            let jobs = try await sandbox.ferry("jobs")
            #expect(jobs.lines.count >= 1, "\(jobs)")
            let second = try await sandbox.bash("rm pid; ferry \(copy)")
            #expect(second.code == 0, "\(second)")
            let all = lab.journal.exchanges.count(where: isFetch)
            #expect(all - Self.fileCount <= Self.portion + Self.lanes, "\(first) and then \(all - first)")
            for (name, data) in files {
                #expect(FileManager.default.contents(atPath: "\(sandbox.path)/Album/\(name)") == data, "\(name)")
            }
            let names = try sandbox.names("Album").filter { $0.hasSuffix(".dat") || $0.contains(".ferry-") }
            #expect(names.count == Self.fileCount)
            #expect(try await sandbox.ferry("jobs").output.isEmpty)
        }
    }
}
