import ArgumentParser
import Dispatch
import FerryCloudLab
import Foundation

/// The program that runs emulated cloud services until it is ended.
@main
struct FerryCloudLabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ferry-cloudlab",
        abstract: "Runs emulated cloud services on 127.0.0.1.",
        discussion: """
            Prints one line of JSON with the base URLs and tokens when it is ready, and runs until SIGTERM or SIGINT.
            Nothing is kept: files live in memory.
            """
    )

    @Option(help: "The port; 0 lets the kernel choose.")
    var port = 0

    @Option(help: ArgumentHelp("The most entries of a page of a listing.", valueName: "count"))
    var pageSize = 2000

    @Option(
        help: ArgumentHelp(
            "The kind of the OneDrive: personal, business or documentLibrary.",
            valueName: "kind"
        )
    )
    var driveType = GraphDriveType.personal.rawValue

    @Option(help: ArgumentHelp("The size of the storage.", valueName: "bytes"))
    var quota: Int64 = 64 << 30

    @Option(help: ArgumentHelp("Lets a seed choose misbehaviours.", valueName: "number"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("The part of the requests that meet one, with --seed.", valueName: "0...1"))
    var faultProbability = 0.1

    @Option(help: ArgumentHelp("A delay before each answer.", valueName: "milliseconds"))
    var latency = 0

    @Option(help: ArgumentHelp("The life of access tokens.", valueName: "seconds"))
    var tokenLifetime = 14400

    @Option(help: ArgumentHelp("Appends each exchange to a file, as a line of JSON.", valueName: "file"))
    var journal: String?

    @Option(
        help: ArgumentHelp(
            "Holds each exchange against the vendors' descriptions, and prints differences to standard error as JSON.",
            valueName: "folder"
        )
    )
    var specs: String?

    @Option(
        help: ArgumentHelp(
            "Makes a service wrong in one way, to find out whether a client or a test notices.",
            valueName: "name"
        )
    )
    var mutant: String?

    @Flag(help: "Prints the names of the ways to be wrong, each with what is wrong, and ends.")
    var listMutants = false

    @Option(
        help: ArgumentHelp(
            "Starts a proxy for clients whose hosts are fixed, and writes the certificate to trust into a file.",
            valueName: "file"
        )
    )
    var proxyCertificate: String?

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("The port must be between 0 and 65535.") }
        guard pageSize > 0 else { throw ValidationError("The page size must be positive.") }
        guard (0...1).contains(faultProbability) else { throw ValidationError("The probability must be from 0 to 1.") }
        guard GraphDriveType(rawValue: driveType) != nil else {
            throw ValidationError("The kind of drive must be personal, business or documentLibrary.")
        }
        guard latency >= 0 else { throw ValidationError("The latency can't be negative.") }
        if let mutant, CloudMutant.named(mutant) == nil {
            throw ValidationError("There is no mutant '\(mutant)'; --list-mutants prints them.")
        }
    }

    func run() async throws {
        guard !listMutants else {
            for mutant in CloudMutant.all { print("\(mutant.name)\t\(mutant.mistake)") }
            return
        }
        let ending = AsyncStream<Void>.makeStream()
        let sources = [SIGTERM, SIGINT].map { number in
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { ending.continuation.finish() }
            // Ignored only when the source is registered: a signal that was ignored before that would be lost. On Linux
            // libdispatch sets a handler of its own as it registers the source.
            #if canImport(Darwin)
            source.setRegistrationHandler { signal(number, SIG_IGN) }
            #endif
            source.activate()
            return source
        }
        var options = CloudLab.Options()
        options.port = port
        options.clock = .running()
        options.quota = quota
        options.latency = .milliseconds(latency)
        options.mutant = mutant.flatMap(CloudMutant.named)
        options.descriptions = specs.map { URL(filePath: $0) }
        options.dropbox.pageSize = pageSize
        options.dropbox.hasEmptyPages = false
        options.dropbox.acceptsUTF8Headers = true
        options.dropbox.tokenLifetime = .seconds(tokenLifetime)
        options.graph.driveType = GraphDriveType(rawValue: driveType) ?? .personal
        options.graph.pageSize = pageSize
        options.graph.hasEmptyPages = false
        options.graph.hasRoughDeltas = false
        options.graph.tokenLifetime = .seconds(tokenLifetime)
        try await withCloudLab(options) { lab in
            lab.observeFindings { finding in
                // A reader that has gone must not end the services.
                try? FileHandle.standardError.write(contentsOf: Data((finding.jsonLine + "\n").utf8))
            }
            if let seed { lab.faults.seed(seed, probability: faultProbability) }
            if let journal {
                guard FileManager.default.createFile(atPath: journal, contents: nil),
                    let file = FileHandle(forWritingAtPath: journal)
                else {
                    throw ValidationError("\(journal) can't be written.")
                }
                lab.journal.observe { exchange in
                    // A full disk must not end the services.
                    try? file.write(contentsOf: Data((exchange.jsonLine + "\n").utf8))
                }
            }
            var ready = Ready(lab)
            #if os(Linux)
            let proxy = proxyCertificate == nil ? nil : try await lab.startProxy()
            if let proxy, let proxyCertificate {
                try Data(proxy.certificatePEM.utf8).write(to: URL(filePath: proxyCertificate))
                ready.proxy = proxy.url
            }
            #else
            guard proxyCertificate == nil else { throw ValidationError("This program was built without a proxy.") }
            #endif
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let line = try encoder.encode(ready) + Data("\n".utf8)
            try FileHandle.standardOutput.write(contentsOf: line)
            for await _ in ending.stream {}
            #if os(Linux)
            await proxy?.stop()
            #endif
        }
        for source in sources { source.cancel() }
    }
}
