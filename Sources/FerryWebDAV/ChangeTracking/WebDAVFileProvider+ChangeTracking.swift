public import FerryCore

extension WebDAVFileProvider: FileProviderChangeTracking {}
