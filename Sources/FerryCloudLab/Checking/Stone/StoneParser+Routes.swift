extension StoneParser {
    /// Reads an operation behind its keyword.
    mutating func parseRoute() throws(DescriptionError) {
        var path = "\(namespace.name)/\(try name())"
        if accept(.symbol(":")) {
            guard case .number(let version) = current else { throw failure("A version is missing.") }
            advance()
            if version != "1" { path += "_v\(version)" }
        }
        try expect("(")
        let argument = try type()
        try expect(",")
        let result = try type()
        try expect(",")
        let error = try type()
        try expect(")")
        var route = StoneRoute(name: path, argument: argument, result: result, error: error)
        // The operation that takes its place is of no use here.
        while current != .newline, current != .end {
            if current == .name("deprecated") { route.isDeprecated = true }
            advance()
        }
        try endLine()
        if accept(.indent) {
            while !accept(.dedent) {
                if accept(.name("attrs")) {
                    try endLine()
                    route.attributes = try attributes()
                } else {
                    guard case .text = current else { throw failure("Documentation or attributes should be here.") }
                    try skipTexts()
                }
            }
        }
        namespace.routes.append(route)
    }

    private mutating func attributes() throws(DescriptionError) -> [String: String] {
        guard accept(.indent) else { return [:] }
        var attributes: [String: String] = [:]
        while !accept(.dedent) {
            let label = try name()
            try expect("=")
            switch current {
            case .name(let value), .text(let value), .number(let value): attributes[label] = value
            default: throw failure("A value is missing.")
            }
            advance()
            try endLine()
        }
        return attributes
    }
}
