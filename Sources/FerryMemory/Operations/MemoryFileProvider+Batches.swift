public import FerryCore

/// Each item is done by itself: there are no requests to be saved.
extension MemoryFileProvider: FileProviderBatchOperations {}
