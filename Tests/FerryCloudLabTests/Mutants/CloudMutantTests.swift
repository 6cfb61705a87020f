import Foundation
import Testing

@testable import FerryCloudLab

@Suite("Deliberate mistakes of the emulated services")
struct CloudMutantTests {
    @Test("there are sixty, half of them Dropbox's and half of them Graph's, and each has a name of its own")
    func names() {
        #expect(CloudMutant.dropbox.count == 30 && CloudMutant.graph.count == 30)
        #expect(Set(CloudMutant.all.map(\.name)).count == 60)
        #expect(CloudMutant.all.allSatisfy { $0.name.hasPrefix($0.service + "-") && $0.mistake.hasSuffix(".") })
    }

    @Test("one is found by its name, and by the variable that asks for it")
    func lookup() {
        #expect(CloudMutant.named("dropbox-hash")?.service == "dropbox")
        #expect(CloudMutant.named("hash") == nil)
        #expect(CloudMutant.requested(in: ["FERRY_LAB_MUTANT": "graph-hash"])?.name == "graph-hash")
        #expect(CloudMutant.requested(in: ["FERRY_LAB_MUTANT": "none"]) == nil)
        #expect(CloudMutant.requested(in: [:]) == nil)
    }

    @Test("the same requests have the same answers where nothing is wrong")
    func baseline() async throws {
        #expect(try await DropboxProbe.transcript(nil) == DropboxProbe.transcript(nil))
        #expect(try await GraphProbe.transcript(nil) == GraphProbe.transcript(nil))
    }

    @Test("each of Dropbox's shows in an answer", arguments: CloudMutant.dropbox.map(\.name))
    func dropbox(_ name: String) async throws {
        let mutant = try #require(CloudMutant.named(name))
        #expect(try await DropboxProbe.transcript(mutant) != DropboxProbe.transcript(nil))
    }

    @Test("each of Graph's shows in an answer", arguments: CloudMutant.graph.map(\.name))
    func graph(_ name: String) async throws {
        let mutant = try #require(CloudMutant.named(name))
        #expect(try await GraphProbe.transcript(mutant) != GraphProbe.transcript(nil))
    }

    @Test("a mistake of one service leaves the other as it is")
    func separate() async throws {
        let mutant = try #require(CloudMutant.named("graph-size-type"))
        #expect(try await DropboxProbe.transcript(mutant) == DropboxProbe.transcript(nil))
    }
}
