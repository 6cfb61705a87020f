import Foundation

/// A PDF with empty pages.
enum PDFFile {
    /// Makes one of so many pages, with these entries in its information dictionary.
    static func make(information: String = "", pages: Int = 1) -> Data {
        var bytes: [UInt8] = Array("%PDF-1.6\n".utf8)
        var table: [UInt8] = []
        func add(_ number: Int, _ object: String) {
            // As many digits as all have: printing with a format a million times takes its time.
            table += String(10_000_000_000 + bytes.count).utf8.dropFirst()
            table += " 00000 n \n".utf8
            bytes += "\(number) 0 obj\n\(object)\nendobj\n".utf8
        }
        add(1, "<< /Type /Catalog /Pages 2 0 R >>")
        let kids = (0..<pages).map { "\($0 + 4) 0 R" }.joined(separator: " ")
        add(2, "<< /Type /Pages /MediaBox [0 0 595.28 841.89] /Count \(pages) /Kids [\(kids)] >>")
        add(3, "<< \(information) >>")
        for number in 0..<pages { add(number + 4, "<</Type/Page/Parent 2 0 R>>") }
        let start = bytes.count
        bytes += "xref\n0 \(pages + 4)\n0000000000 65535 f \n".utf8
        bytes += table
        bytes += "trailer\n<< /Size \(pages + 4) /Root 1 0 R /Info 3 0 R >>\nstartxref\n\(start)\n%%EOF\n".utf8
        return Data(bytes)
    }
}
