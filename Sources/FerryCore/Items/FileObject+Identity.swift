extension FileObject {
    /// The storage's identifier of the folder that holds the item, as that folder's ``id`` has it.
    public var parentID: String? {
        get { extras[.parentID] }
        set { extras[.parentID] = newValue }
    }

    /// The item's version, which changes with its name, its folder and its attributes, and with the content of a file;
    /// compare for equality only, and with versions of the same item.
    ///
    /// ``eTag`` need not change with anything but the content.
    public var metadataVersion: String? {
        get { extras[.metadataVersion] }
        set { extras[.metadataVersion] = newValue }
    }
}

extension FileObjectExtras.Key where Value == String {
    /// The value of ``FileObject/parentID``.
    static var parentID: Self { Self("parentID") }

    /// The value of ``FileObject/metadataVersion``.
    static var metadataVersion: Self { Self("metadataVersion") }
}
