public import Foundation
public import HTTPTypes

/// A request to an API: what is asked, and what is sent with it.
public struct HTTPFileRequest: Sendable {
    /// Method, URL and fields, without credentials.
    public var head: HTTPRequest

    /// The body that is sent with it; where content is written, the content takes its place.
    public var body: HTTPRequestBody?

    /// Indicates whether a second request after a lost answer does no harm; `nil` to judge by the method.
    public var isIdempotent: Bool?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - head: Method, URL and fields.
    ///   - body: The body that is sent with it.
    ///   - isIdempotent: `true` if a second request after a lost answer does no harm; `nil` to judge by the method.
    public init(_ head: HTTPRequest, body: HTTPRequestBody? = nil, isIdempotent: Bool? = nil) {
        self.head = head
        self.body = body
        self.isIdempotent = isIdempotent
    }

    /// Makes a request whose body is JSON.
    ///
    /// - Parameters:
    ///   - head: Method, URL and fields; the media type is added.
    ///   - value: The value that is sent.
    ///   - isIdempotent: `true` if a second request after a lost answer does no harm; `nil` to judge by the method.
    /// - Throws: Any error that encoding throws.
    public init(_ head: HTTPRequest, json value: some Encodable, isIdempotent: Bool? = nil) throws {
        self.init(head, body: HTTPRequestBody(try JSONEncoder().encode(value)), isIdempotent: isIdempotent)
        self.head.headerFields[.contentType] = "application/json"
    }
}

/// A whole answer of an API.
public struct HTTPFileAnswer: Sendable {
    /// Status and fields.
    public var head: HTTPResponse

    /// All of the body.
    public var body: Data

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - head: Status and fields.
    ///   - body: All of the body.
    public init(_ head: HTTPResponse, body: Data) {
        self.head = head
        self.body = body
    }

    /// Reads the body as JSON.
    ///
    /// - Parameters:
    ///   - type: The type that it should be.
    ///   - decoder: How to read it.
    /// - Returns: The value.
    /// - Throws: `DecodingError`, which becomes `URLError.cannotParseResponse` for callers.
    public func json<Value: Decodable>(_ type: Value.Type, by decoder: JSONDecoder = JSONDecoder()) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

/// The known attributes of an item when a request about it is made.
public struct HTTPFileAttributes: Sendable, Hashable {
    /// Indicates whether the item is a folder; `nil` if that is not known.
    public var isDirectory: Bool?

    /// Bytes of the content; `nil` if that is not known.
    public var size: Int64?

    /// The modified date to give the item.
    public var modifiedDate: Date?

    /// The media type to give the item.
    public var contentType: String?

    /// The eTag that the existing item must still have.
    public var ifMatch: String?

    /// Makes attributes.
    ///
    /// - Parameters:
    ///   - isDirectory: `true` if the item is a folder.
    ///   - size: Bytes of the content.
    ///   - modifiedDate: The modified date to give the item.
    ///   - contentType: The media type to give the item.
    ///   - ifMatch: The eTag that the existing item must still have.
    public init(
        isDirectory: Bool? = nil,
        size: Int64? = nil,
        modifiedDate: Date? = nil,
        contentType: String? = nil,
        ifMatch: String? = nil
    ) {
        self.isDirectory = isDirectory
        self.size = size
        self.modifiedDate = modifiedDate
        self.contentType = contentType
        self.ifMatch = ifMatch
    }
}
