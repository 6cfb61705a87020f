extension JSONValue {
    /// Changes each object, the inner ones first.
    mutating func changeObjects(_ change: (inout JSONObject) -> Void) {
        switch self {
        case .object(var object):
            for member in object.members {
                var value = member.value
                value.changeObjects(change)
                object[member.name] = value
            }
            change(&object)
            self = .object(object)
        case .array(var elements):
            for index in elements.indices { elements[index].changeObjects(change) }
            self = .array(elements)
        default: break
        }
    }
}

extension JSONObject {
    /// Changes a member that is a text.
    mutating func changeText(_ name: String, _ change: (String) -> String) {
        if let text = self[name]?.string { self[name] = .string(change(text)) }
    }

    /// Changes a member that is an array.
    mutating func changeArray(_ name: String, _ change: (inout [JSONValue]) -> Void) {
        guard var elements = self[name]?.array else { return }
        change(&elements)
        self[name] = .array(elements)
    }
}
