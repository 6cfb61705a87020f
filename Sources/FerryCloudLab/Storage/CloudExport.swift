/// A format into which a service exports a document of its own kind.
struct CloudExport: Sendable {
    /// The service's word for the format, such as `markdown`.
    let format: String
    let content: CloudContent
}
