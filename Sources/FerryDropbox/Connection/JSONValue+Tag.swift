import FerryHTTP

extension JSONValue {
    /// The name of a union's variant.
    var tag: String? { self[".tag"].string ?? string }
}
