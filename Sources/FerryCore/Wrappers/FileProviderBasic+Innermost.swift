extension FileProviderBasic {
    /// The provider that all wrappers are around.
    package var innermost: any FileProviderBasic {
        guard let wrapper = self as? any FileProviderWrapper else { return self }
        return wrapper.wrapped.innermost
    }
}

extension FileProviderWrapper {
    fileprivate var wrapped: any FileProviderBasic { base }
}
