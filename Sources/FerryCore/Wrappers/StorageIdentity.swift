/// The identity of the storage that a provider shows, whatever is wrapped around it: equal for the same storage.
package struct StorageIdentity: Sendable, Equatable {
    private let provider: any FileProviderBasic

    fileprivate init(_ provider: any FileProviderBasic) {
        self.provider = provider
    }

    /// Returns `true` if both are the same storage.
    ///
    /// Two storages in memory have no URL to tell them apart: they are one only if they are the same object.
    ///
    /// - Parameters:
    ///   - first: An identity.
    ///   - second: Another.
    /// - Returns: `false` also where that can't be told.
    package static func == (first: Self, second: Self) -> Bool {
        let (first, second) = (first.provider, second.provider)
        if (first as AnyObject) === (second as AnyObject) { return true }
        return first.baseURL != nil && first.isEqual(to: second)
    }
}

extension FileProviderBasic {
    /// The identity of the storage, to compare it with that of another provider.
    package var storageIdentity: StorageIdentity { StorageIdentity(withoutWrappers) }

    /// The provider that all wrappers are around: for reading what the storage itself says now, past caches and filters.
    ///
    /// Nothing is changed through it: wrappers protect, record and remember. Abilities are found without it.
    package var withoutWrappers: any FileProviderBasic {
        guard let wrapper = self as? any FileProviderWrapper else { return self }
        return wrapper.base.withoutWrappers
    }
}
