import FerryCore
import Foundation
import HTTPTypes

/// Where an answer of 3xx leads.
enum Redirect {
    /// The next step.
    enum Decision {
        /// It is no redirect, or says not where to: the answer stands.
        case none
        /// Another request to the same origin.
        case follow(HTTPRequest, dropsBody: Bool)
        /// Another request to another origin, without anything that is meant for ours.
        case leave(HTTPRequest)
        /// An error, since going there might do harm.
        case refuse(URLError)
    }

    /// Fields that tell another origin nothing about us.
    private static let harmlessFields: [HTTPField.Name] = [
        .accept, .acceptEncoding, .acceptLanguage, .range, .ifRange, .ifNoneMatch, .ifModifiedSince, .userAgent,
    ]

    /// Methods that only read; a `PROPFIND` that was sent elsewhere by 301 or 302 is still one (RFC 9110 §15.4.2 lets
    /// only `POST` become `GET`).
    private static let reading: Set = ["GET", "HEAD", "OPTIONS", "PROPFIND", "SEARCH", "REPORT", "QUERY"]

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request that was sent.
    ///   - canRepeatBody: `true` if the request's body can be sent again, if it has one.
    /// - Returns: The decision.
    static func judge(_ response: HTTPResponse, of request: HTTPRequest, canRepeatBody: Bool) -> Decision {
        guard [301, 302, 303, 307, 308].contains(response.status.code),
            let location = response.headerFields[.location], let base = request.absoluteURL
        else { return .none }
        guard let url = URL(string: location, relativeTo: base)?.absoluteURL, let target = HTTPOrigin(url),
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else {
            return .refuse(.redirect("the server sends us to no address that we could go to"))
        }
        var next = request
        next.scheme = target.scheme
        next.authority = target.authority
        next.path =
            (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
            + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        let method = request.method.rawValue
        let isGetOrHead = request.method == .get || request.method == .head

        guard let origin = HTTPOrigin(base), origin == target else {
            let name = "\(target.scheme)://\(target.authority)"
            guard base.scheme != "https" || target.scheme == "https" else {
                return .refuse(.redirect("the server sends us to \(name), where anybody can read along"))
            }
            guard isGetOrHead else {
                return .refuse(.redirect("the server sends us to another one, \(name)"))
            }
            next.headerFields = HTTPFields()
            for field in request.headerFields where harmlessFields.contains(field.name) {
                next.headerFields.append(field)
            }
            return .leave(next)
        }

        switch response.status.code {
        case 303 where isGetOrHead: return .follow(next, dropsBody: false)
        case 303 where request.method == .post:
            // RFC 9110 §15.4.4: what the POST has made is to be had by GET.
            next.method = .get
            next.headerFields[.contentType] = nil
            return .follow(next, dropsBody: true)
        case 301 where reading.contains(method), 302 where reading.contains(method), 307, 308:
            guard canRepeatBody else {
                return .refuse(
                    .redirect("the server wants \(next.path ?? "/") instead, but the content can't be sent twice")
                )
            }
            return .follow(next, dropsBody: false)
        default:
            return .refuse(.redirect("the server answers \(method) with a way to \(next.path ?? "/")"))
        }
    }
}

extension URLError {
    /// A redirect that is not followed; the description names where it leads.
    static func redirect(_ description: String) -> URLError {
        .answer(
            .redirectToNonExistentLocation,
            description: description,
            suggestion: "check the address, or the server's idea of its own"
        )
    }
}

extension HTTPRequest {
    /// The request's URL.
    var absoluteURL: URL? {
        guard let scheme, let authority else { return nil }
        return URL(string: "\(scheme)://\(authority)\(path ?? "/")")
    }
}
