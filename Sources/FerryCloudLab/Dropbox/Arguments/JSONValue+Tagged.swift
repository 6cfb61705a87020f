extension JSONValue {
    /// The tag of a union and the value that comes with it: `"add"`, `{".tag": "update", "update": …}`, `{"update": …}`.
    var tagged: (tag: String, payload: JSONValue?)? {
        if let text = string { return (text, nil) }
        guard let object else { return nil }
        if let tag = object[".tag"]?.string { return (tag, object[tag]) }
        guard object.members.count == 1, let member = object.members.first else { return nil }
        return (member.name, member.value)
    }
}
