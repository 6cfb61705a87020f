/// The form of a member of a request's body.
indirect enum GraphType: Sendable {
    case string
    case oneOf(Set<String>)
    case bool
    case integer
    case date
    case array(GraphType)
    case object(GraphShape)
}

/// The form of a JSON object of a request.
struct GraphShape: Sendable {
    let members: [String: GraphType]
    let required: Set<String>

    init(_ members: [String: GraphType], required: Set<String> = []) {
        self.members = members
        self.required = required
    }

    static let empty = GraphShape([:])
}

extension GraphShape {
    /// Returns the reason why a value doesn't have this form; `nil` if it does.
    ///
    /// Annotations of OData are allowed everywhere, and so is `null` for what may be left out.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - place: The way to the value, for the complaint.
    /// - Returns: The complaint.
    func complaint(about value: JSONValue, at place: String = "") -> String? {
        guard let object = value.object else { return "'\(place)' must be an object" }
        var seen: Set<String> = []
        for member in object.members {
            guard seen.insert(member.name).inserted else { return "'\(place)\(member.name)' is there twice" }
            guard !member.name.hasPrefix("@odata.") else { continue }
            guard let type = members[member.name] else {
                return "the property '\(place)\(member.name)' doesn't exist or can't be set here"
            }
            if member.value == .null, !required.contains(member.name) { continue }
            if let complaint = type.complaint(about: member.value, at: place + member.name) { return complaint }
        }
        for name in required.sorted() where object[name] == nil { return "the property '\(place)\(name)' is missing" }
        return nil
    }
}

extension GraphType {
    fileprivate func complaint(about value: JSONValue, at place: String) -> String? {
        switch self {
        case .string: value.string == nil ? "'\(place)' must be a string" : nil
        case .oneOf(let words):
            value.string.map(words.contains) == true
                ? nil : "'\(place)' must be one of \(words.sorted().joined(separator: ", "))"
        case .bool: value.bool == nil ? "'\(place)' must be a Boolean" : nil
        case .integer: value.integer == nil ? "'\(place)' must be an integer" : nil
        case .date: value.string.flatMap(GraphTimestamp.date) == nil ? "'\(place)' must be a date" : nil
        case .array(let type):
            value.array.map { $0.lazy.compactMap { type.complaint(about: $0, at: place) }.first }
                ?? "'\(place)' must be an array"
        case .object(let shape): shape.complaint(about: value, at: place + ".")
        }
    }
}
