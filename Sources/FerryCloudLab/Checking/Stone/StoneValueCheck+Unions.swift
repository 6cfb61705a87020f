extension StoneValueCheck {
    /// Compares a value with a union.
    ///
    /// Requests may use the short forms `"add"` and `{"update": …}`; answers always carry `.tag`.
    mutating func check(_ value: JSONValue, _ union: StoneDescription.Union) {
        if let text = value.string {
            if side == .answer { report("A tag in an answer is an object with '.tag' (\(union.name)).") }
            guard let member = member(text, of: union) else { return }
            if !takesNothing(member.type) { report("The tag '\(text)' needs a value.") }
            return
        }
        guard var object = value.object else {
            return report("Expected is a tag of \(union.name), not \(value.article).")
        }
        guard let tagValue = object[".tag"] else {
            guard side == .request, object.members.count == 1, let only = object.members.first else {
                return report(member: ".tag", "The tag is missing (\(union.name)).")
            }
            guard let member = member(only.name, of: union) else { return }
            return check(member: only.name, only.value, member.type)
        }
        guard let tag = tagValue.string else { return report(member: ".tag", "A tag is a string.") }
        guard let member = member(tag, of: union) else { return }
        object[".tag"] = nil
        check(object, inside: member)
    }

    /// Finds a tag; reports it if it isn't one of the union's.
    private mutating func member(_ tag: String, of union: StoneDescription.Union) -> StoneUnion.Member? {
        if let member = union.members[tag] {
            if !description.omissions.isDisjoint(with: member.annotations) {
                report("The tag '\(tag)' is not public.")
            }
            return member
        }
        // An open union has this tag for what an old client doesn't know.
        if tag == "other", union.isOpen, side == .answer { return StoneUnion.Member(name: tag, type: .void) }
        report("'\(tag)' is no tag of \(union.name).")
        return nil
    }

    private mutating func check(_ object: JSONObject, inside member: StoneUnion.Member) {
        var type = description.resolved(member.type)
        var isOptional = false
        if case .optional(let inner) = type { (type, isOptional) = (description.resolved(inner), true) }
        if case .reference(let name) = type, let structure = description.structures[name], structure.subtypes == nil {
            // The fields stand beside the tag.
            if isOptional, object.members.isEmpty { return }
            return check(object, fieldsOf: structure)
        }
        for other in object.names where other != member.name { report(member: other, "The field is unknown.") }
        switch (object[member.name], type) {
        case (let value?, .void):
            if value != .null || side == .answer { report(member: member.name, "The tag has no value.") }
        case (let value?, _): check(member: member.name, value, isOptional ? .optional(type) : type)
        case (nil, .void): break
        case (nil, _): if !isOptional { report(member: member.name, "The value of the tag is missing.") }
        }
    }

    private func takesNothing(_ type: StoneType) -> Bool {
        isOptional(type) || description.resolved(type) == .void
    }
}
