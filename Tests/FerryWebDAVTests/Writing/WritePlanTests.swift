import FerryCore
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

@Suite("How a file is written")
struct WritePlanTests {
    /// The way of a new file, of one that is replaced, and of one that is replaced if it is still the same.
    struct Row: Sendable {
        let kind: WebDAVServerKind
        let new: String
        let over: String
        let matching: String
        /// Indicates whether the size of what is stored is asked for.
        let verifies: Bool
    }

    private static let rows = [
        Row(kind: .apache, new: "PUT if none", over: "PUT", matching: "PUT if", verifies: false),
        Row(kind: .nginx, new: "PUT, MOVE", over: "PUT", matching: "never", verifies: false),
        Row(kind: .lighttpd, new: "PUT if none", over: "PUT", matching: "PUT if-match", verifies: false),
        Row(kind: .wsgidav, new: "PUT, MOVE", over: "PUT, MOVE", matching: "LOCK, PUT, MOVE", verifies: true),
        Row(kind: .golang, new: "PUT, MOVE", over: "PUT, MOVE", matching: "LOCK, PUT, MOVE", verifies: true),
        Row(kind: .unknown, new: "PUT, MOVE", over: "PUT, MOVE", matching: "never", verifies: true),
    ]

    private func plan(
        _ kind: WebDAVServerKind,
        _ options: WriteOptions,
        length: Int64? = 10,
        hasLocks: Bool = true
    ) throws -> WebDAVWritePlan {
        let traits = WebDAVTraits(kind)
        return try WebDAVWritePlan(path: "/a", options: options, length: length, traits: traits, hasLocks: hasLocks)
    }

    private func words(_ plan: WebDAVWritePlan) -> String {
        if plan.lockedETag != nil { return "LOCK, PUT, MOVE" }
        if plan.route == .temporary { return "PUT, MOVE" }
        if plan.ifETag != nil { return "PUT if" }
        if plan.fields[.ifMatch] != nil { return "PUT if-match" }
        return plan.fields[.ifNoneMatch] == "*" ? "PUT if none" : "PUT"
    }

    @Test("depends on what the server can be relied on to do", arguments: rows)
    func ways(row: Row) throws {
        #expect(try words(plan(row.kind, WriteOptions(overwrite: false))) == row.new)
        #expect(try words(plan(row.kind, WriteOptions(overwrite: true))) == row.over)
        #expect(try plan(row.kind, WriteOptions(overwrite: true)).verifiesSize == row.verifies)
        let matching = Result { try plan(row.kind, WriteOptions(ifMatch: "W/\"x\"")) }
        if row.matching.hasPrefix("LOCK") {
            #expect { try plan(row.kind, WriteOptions(ifMatch: "x"), hasLocks: false) } throws: {
                ($0 as? CocoaError)?.code == .featureUnsupported
            }
        }
        if row.matching == "never" {
            #expect { try matching.get() } throws: { ($0 as? CocoaError)?.code == .featureUnsupported }
        } else {
            #expect(try words(matching.get()) == row.matching)
        }
    }

    @Test("weak marks stay out of conditions, and quotes are added", arguments: ["\"x\"", "W/\"x\"", "x"])
    func tags(eTag: String) throws {
        #expect(try plan(.lighttpd, WriteOptions(ifMatch: eTag)).fields[.ifMatch] == "\"x\"")
        #expect(try plan(.apache, WriteOptions(ifMatch: eTag)).ifETag == "\"x\"")
    }

    @Test("what can be no eTag is met by no file", arguments: ["\u{1}", "a b", "a\"b"])
    func noTag(eTag: String) {
        #expect(throws: PreconditionFailedError.self) { try plan(.lighttpd, WriteOptions(ifMatch: eTag)) }
    }

    @Test("much is not sent before anybody has looked", arguments: [(10, false), (2 << 20, true), (nil, true)])
    func looking(length: Int64?, looks: Bool) throws {
        #expect(try plan(.apache, WriteOptions(overwrite: false), length: length).looksFirst == looks)
    }

    @Test("a name that the server appends to goes by way of a shorter one")
    func longName() throws {
        let path = ItemPath.root.appending(String(repeating: "n", count: 250))
        let traits = WebDAVTraits(.lighttpd)
        let options = WriteOptions(overwrite: true)
        let plan = try WebDAVWritePlan(path: path, options: options, length: 1, traits: traits, hasLocks: false)
        #expect(plan.route == .temporary)
    }

    @Test("type and date go with the content")
    func fields() throws {
        var options = WriteOptions(overwrite: true)
        options.contentType = "text/plain"
        options.modifiedDate = Date(timeIntervalSince1970: 1_500_000_000.9)
        let fields = try plan(.unknown, options).fields
        #expect(fields[.contentType] == "text/plain")
        #expect(fields[.modifiedTime] == "1500000000")
    }

    @Test("temporary names are hidden, but where a server hides them for ever", arguments: WebDAVServerKind.allCases)
    func temporaryNames(kind: WebDAVServerKind) {
        let name = TemporaryName.make(for: WebDAVTraits(kind))
        #expect(name.hasPrefix(".") == (kind != .nginx))
        #expect(WebDAVTraits(kind).problem(withName: name) == nil)
        #expect(name != TemporaryName.make(for: WebDAVTraits(kind)))
    }
}
