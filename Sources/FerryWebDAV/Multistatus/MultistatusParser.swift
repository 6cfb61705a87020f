import CLibXML2
import FerryCore
package import Foundation
package import NIOCore

/// Parses a multistatus document (RFC 4918 §13) as its bytes arrive, in memory that does not grow with it.
///
/// Constructs that can't be trusted are refused: a document type (and with it every entity that isn't XML's own),
/// nesting beyond 256 elements, endless texts. Nothing is fetched. A document that breaks, even after its end, or ends
/// early, is an error, never a shorter listing.
///
/// Not `Sendable`: one reader at a time has it.
package final class MultistatusParser {
    private let context: xmlParserCtxtPtr
    private let handling: UnsafeMutablePointer<XMLHandling>

    /// Makes a parser for one document.
    ///
    /// - Parameters:
    ///   - others: The properties to keep beyond those of ``WebDAVProperties``.
    ///   - keepsRefusals: `true` to keep the names of properties in unsuccessful `propstat`s.
    /// - Throws: `URLError.cannotParseResponse` when there is no memory for it.
    package convenience init(others: [WebDAVPropertyName] = [], keepsRefusals: Bool = false) throws {
        try self.init(MultistatusBuilder(root: .multistatus, others: others, keepsRefusals: keepsRefusals))
    }

    private init(_ builder: MultistatusBuilder) throws {
        XMLHandling.initializeLibrary
        var handler = XMLHandling.makeHandler()
        guard let context = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else {
            throw Self.broken("there is no memory for reading it")
        }
        self.context = context
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
        handling = .allocate(capacity: 1)
        handling.initialize(to: XMLHandling(builder, context: context))
        context.pointee.userData = UnsafeMutableRawPointer(handling)
    }

    deinit {
        xmlFreeParserCtxt(context)
        handling.deinitialize(count: 1)
        handling.deallocate()
    }

    /// Parses on.
    ///
    /// - Parameter chunk: The next bytes of the document.
    /// - Throws: `URLError.cannotParseResponse` when the document is not what it must be.
    package func parse(_ chunk: ByteBuffer) throws {
        try chunk.withUnsafeReadableBytes { try parse($0) }
    }

    /// Parses on.
    ///
    /// - Parameter chunk: The next bytes of the document.
    /// - Throws: `URLError.cannotParseResponse` when the document is not what it must be.
    package func parse(_ chunk: UnsafeRawBufferPointer) throws {
        var rest = chunk
        while !rest.isEmpty {
            // The library counts in 32 bits.
            let piece = rest.prefix(1 << 20)
            let bytes = UnsafeRawBufferPointer(rebasing: piece)
            xmlParseChunk(context, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), 0)
            handling.pointee.quietBytes += bytes.count
            try check()
            rest = UnsafeRawBufferPointer(rebasing: rest[bytes.count...])
        }
    }

    /// Says that all bytes were there.
    ///
    /// - Throws: `URLError.cannotParseResponse` when the document has not come to its end.
    package func finish() throws {
        xmlParseChunk(context, nil, 0, 1)
        try check()
        guard handling.pointee.builder.isComplete else { throw Self.broken("it ends early") }
    }

    /// The number of entries that are complete and were not yet taken.
    package var count: Int { handling.pointee.builder.entries.count }

    /// Hands out the entries that are complete.
    ///
    /// - Returns: Entries in the document's order, each once.
    package func takeEntries() -> [MultistatusEntry] {
        var entries: [MultistatusEntry] = []
        swap(&entries, &handling.pointee.builder.entries)
        return entries
    }

    /// The token of a `sync-collection` report (RFC 6578 §6.4), once it was there.
    package var syncToken: String? { handling.pointee.builder.syncToken }

    private func check() throws {
        if let problem = handling.pointee.builder.problem { throw Self.broken(problem) }
        if context.pointee.wellFormed == 0 || context.pointee.nsWellFormed == 0 {
            throw Self.broken("it is not well-formed")
        }
        if handling.pointee.quietBytes > MultistatusLimits.text * 4 { throw Self.broken("a part of it is too long") }
    }

    private static func broken(_ words: String) -> URLError {
        .answer(.cannotParseResponse, description: "the server's XML can't be used: \(words)")
    }
}

// MARK: - Other documents

extension MultistatusParser {
    /// Reads a whole small document of any kind, such as the answer to a `LOCK`, or the reason for a refusal.
    ///
    /// - Parameter data: All of it.
    /// - Returns: Its root element.
    /// - Throws: `URLError.cannotParseResponse` when it is none, or too large.
    package static func tree(of data: Data) throws -> WebDAVElement {
        let parser = try MultistatusParser(MultistatusBuilder(root: .any, others: [], keepsRefusals: false))
        try data.withUnsafeBytes { try parser.parse($0) }
        try parser.finish()
        guard let tree = parser.handling.pointee.builder.tree else { throw broken("it ends early") }
        return tree
    }

    /// Reads a whole multistatus document.
    ///
    /// - Parameters:
    ///   - data: All of it.
    ///   - others: The properties to keep beyond those of ``WebDAVProperties``.
    ///   - keepsRefusals: `true` to keep the names of properties in unsuccessful `propstat`s.
    /// - Returns: All entries.
    /// - Throws: `URLError.cannotParseResponse` when it is no multistatus.
    package static func entries(
        of data: Data,
        others: [WebDAVPropertyName] = [],
        keepsRefusals: Bool = false
    ) throws -> [MultistatusEntry] {
        let parser = try MultistatusParser(others: others, keepsRefusals: keepsRefusals)
        try data.withUnsafeBytes { try parser.parse($0) }
        try parser.finish()
        return parser.takeEntries()
    }
}

/// The limits of a document: a server that sends more is broken, or means no good.
enum MultistatusLimits {
    /// Elements inside each other.
    static let depth = 256
    /// Bytes of a text that is kept, of one start tag's attributes, and of what comes without any element in it.
    static let text = 256 << 10
    /// Properties and elements that are kept of one entry.
    static let elements = 4096
    /// Bytes of an item's href: a path on a server has 4,096 bytes at most, each of which may take three.
    static let href = 16 << 10
    /// Bytes of all texts that are kept of one entry.
    static let entry = 1 << 20
}
