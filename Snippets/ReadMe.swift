import Ferry
import Foundation

let provider = MemoryFileProvider()  // or any other: the rest stays as it is
try await provider.create(folder: "Reports", at: "/")
try await provider.writeContents(path: "/Reports/july.txt", contents: Data("All is well.".utf8))
try await provider.copyItem(path: "/Reports/july.txt", to: "/Reports/august.txt")

let query = try FileQuery(parsing: "name BEGINSWITH[c] 'JU' AND fileSize > 10")
for try await item in provider.searchFiles(path: "/", recursive: true, query: query) {
    print(item.path, item.size ?? 0)
}
