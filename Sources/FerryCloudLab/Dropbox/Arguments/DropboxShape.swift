/// The fields of a structure.
struct DropboxShape: Sendable {
    /// A field.
    struct Field: Sendable {
        enum Presence: Sendable {
            /// The field must be there.
            case required
            /// The field may be left out and has a default then.
            case defaulted
            /// The field may be left out or be null.
            case optional
        }

        let name: String
        let type: DropboxType
        let presence: Presence
    }

    var fields: [Field]

    init(_ fields: Field...) { self.fields = fields }

    init(_ base: DropboxShape, adding fields: Field...) { self.fields = base.fields + fields }

    static let empty = DropboxShape()
}

extension DropboxShape.Field {
    static func required(_ name: String, _ type: DropboxType) -> Self {
        Self(name: name, type: type, presence: .required)
    }

    static func defaulted(_ name: String, _ type: DropboxType) -> Self {
        Self(name: name, type: type, presence: .defaulted)
    }

    static func optional(_ name: String, _ type: DropboxType) -> Self {
        Self(name: name, type: type, presence: .optional)
    }
}

extension DropboxShape {
    /// Returns the complaint about an object, or `nil` if it has the fields and no others.
    func complaint(about object: JSONObject, at place: String = "") -> String? {
        let prefix = place.isEmpty ? "" : place + ": "
        for field in fields {
            let inner = place.isEmpty ? field.name : "\(place).\(field.name)"
            switch (object[field.name], field.presence) {
            case (nil, .required): return "\(prefix)missing required field '\(field.name)'"
            case (nil, _), (.null?, .optional): continue
            case (let value?, _):
                if let complaint = field.type.complaint(about: value, at: inner) { return complaint }
            }
        }
        let known = Set(fields.map(\.name))
        return object.names.first { !known.contains($0) }.map { "\(prefix)unknown field '\($0)'" }
    }
}
