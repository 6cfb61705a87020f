/// How much work there is.
struct Scale: Sendable {
    let fileSize: Int
    let folders: Int
    let filesInFolder: Int
    let listedFilesInFolder: Int
    let items: Int
    let remoteItems: Int
    let remoteFolders: Int
    let smallFiles: Int
    let mediumFiles: Int
    let slowFiles: Int
    let sameFiles: Int
    let cachedFileSize: Int
    let keptEntries: Int
    let evictedFrom: Int
    let watchedFolders: Int
    let photos: Int
    let rounds: Int

    /// The amount of work that the project's targets are about.
    static let full = Scale(
        fileSize: 2 << 30,
        folders: 100,
        filesInFolder: 100,
        listedFilesInFolder: 1000,
        items: 1_000_000,
        remoteItems: 100_000,
        remoteFolders: 1_000,
        smallFiles: 10_000,
        mediumFiles: 1_000,
        slowFiles: 2_000,
        sameFiles: 20_000,
        cachedFileSize: 1 << 30,
        keptEntries: 500_000,
        evictedFrom: 200_000,
        watchedFolders: 50_000,
        photos: 500,
        rounds: 5
    )

    /// A glance: too little work to trust a ratio.
    static let quick = Scale(
        fileSize: 256 << 20,
        folders: 20,
        filesInFolder: 100,
        listedFilesInFolder: 1000,
        items: 100_000,
        remoteItems: 20_000,
        remoteFolders: 200,
        smallFiles: 1_000,
        mediumFiles: 100,
        slowFiles: 400,
        sameFiles: 2_000,
        cachedFileSize: 256 << 20,
        keptEntries: 100_000,
        evictedFrom: 60_000,
        watchedFolders: 5_000,
        photos: 60,
        rounds: 3
    )
}
