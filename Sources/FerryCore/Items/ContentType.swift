package enum ContentType {
    package static func forName(_ name: String) -> String? { nil }
}
