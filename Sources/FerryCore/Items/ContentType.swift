enum ContentType {
    static func forName(_ name: String) -> String? { nil }
}
