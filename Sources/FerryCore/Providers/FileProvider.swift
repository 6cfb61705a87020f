/// A storage that does all that files are usually for.
///
/// Copying a provider is copying the reference: it is immutable.
public typealias FileProvider = FileProviderBasic & FileProviderOperations & FileProviderReadWrite
