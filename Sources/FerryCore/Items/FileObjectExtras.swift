public import Foundation

/// The properties that only some storages have, by typed key.
///
/// An empty bag costs one word. A provider adds keys of its own in an extension:
///
/// ```swift
/// extension FileObjectExtras.Key where Value == Bool {
///     static let isFavorite = Self("favorite")
/// }
/// ```
public struct FileObjectExtras: Sendable, Hashable {
    /// The name of a property, and the type of its value.
    public struct Key<Value: Sendable & Hashable & Codable>: Sendable {
        /// The name that tells the property from others; begins with the provider's name where only that one has it.
        public let name: String

        /// Makes a key.
        ///
        /// - Parameter name: The name that tells the property from others.
        public init(_ name: String) {
            self.name = name
        }
    }

    var values: [String: any (Sendable & Hashable & Codable)]?

    /// Makes an empty bag.
    public init() {}

    /// Indicates whether nothing is in it.
    public var isEmpty: Bool { values == nil }

    /// The names of the properties that are in it, in alphabetical order.
    public var names: [String] { values?.keys.sorted() ?? [] }

    /// One property; `nil` if the storage does not say.
    public subscript<Value>(key: Key<Value>) -> Value? {
        get {
            guard let value = values?[key.name] else { return nil }
            return value as? Value ?? (value as? KeptExtra)?.decoded(as: Value.self)
        }
        set {
            var changed = values ?? [:]
            changed[key.name] = newValue
            values = changed.isEmpty ? nil : changed
        }
    }

    /// Compares all properties.
    public static func == (first: FileObjectExtras, second: FileObjectExtras) -> Bool {
        guard let ours = first.values, let theirs = second.values else {
            return first.values == nil && second.values == nil
        }
        return ours.count == theirs.count
            && ours.allSatisfy { name, value in theirs[name].map { KeptExtra.isSame(value, $0) } ?? false }
    }

    /// Feeds the properties' names; equal ones can be in different forms.
    ///
    /// - Parameter hasher: The hasher to feed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values.map { Set($0.keys) })
    }

    /// The values as JSON-like text, for showing.
    package var descriptions: [(name: String, value: String)] {
        names.map { ($0, values?[$0].map { String(describing: $0) } ?? "") }
    }
}

extension FileObjectExtras.Key where Value == ItemPath {
    /// The item's path, where its name in the path differs from the name that is shown.
    static var path: Self { Self("path") }
}

extension FileObjectExtras.Key where Value == Bool {
    /// The storage hides the item from ordinary lists.
    public static var isHidden: Self { Self("hidden") }

    /// The item can't be changed by this user.
    public static var isReadOnly: Self { Self("readOnly") }

    /// The storage has changed the content on purpose when it was written, as SharePoint does with documents: size and
    /// checksums are others than those of what was sent.
    public static var isRewritten: Self { Self("rewritten") }

    /// The storage has reported the checksum of exactly the bytes that were just written.
    ///
    /// Only files that a write returns have it: then the content needs no further comparison.
    public static var isVerified: Self { Self("verified") }
}

extension FileObjectExtras.Key where Value == String {
    /// The target of a symbolic link, as written in it.
    public static var linkDestination: Self { Self("linkDestination") }

    /// The user that owns the item.
    public static var owner: Self { Self("owner") }

    /// The group that owns the item.
    public static var group: Self { Self("group") }
}

extension FileObjectExtras.Key where Value == Int64 {
    /// Bytes that the item takes up on the storage.
    public static var allocatedSize: Self { Self("allocatedSize") }

    /// The number of names that the item has.
    public static var linkCount: Self { Self("linkCount") }

    /// The number of items in a folder.
    public static var childCount: Self { Self("childCount") }
}

extension FileObjectExtras.Key where Value == Date {
    /// The date at which the item was last read.
    public static var accessDate: Self { Self("accessed") }

    /// The date at which the item's attributes last changed.
    public static var attributeModificationDate: Self { Self("attributesModified") }
}

extension FileObjectExtras.Key where Value == [ChecksumKind: String] {
    /// Checksums that the storage keeps, as lower-case hexadecimal (or the kind's own text form).
    public static var checksums: Self { Self("checksums") }
}
