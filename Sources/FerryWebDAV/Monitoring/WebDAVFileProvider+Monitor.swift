public import FerryCore

extension WebDAVFileProvider: FileProviderMonitor {}
