@testable import FerryCloudLab

/// A description of a library's API in the Stone language, which has every feature of the language once.
enum ShelfDescription {
    static let common = """
        namespace common

        annotation Hidden = Omitted("staff")
        annotation Old = Deprecated()

        alias Day = Timestamp("%Y-%m-%d")
        alias Moment = Timestamp("%Y-%m-%dT%H:%M:%SZ")
        alias Code = String(min_length=3, max_length=5, pattern="[a-z]+")

        union PathRoot
            home
            root Code

        union_closed JobBase
            job_id String(min_length=1)
        """

    static let shelf = #"""
        namespace shelf
            "Books, with a text
            of two lines and a \"quotation\"."

        import common

        # Names of other files need the import above.
        alias Code = common.Code
        alias Codes = List(Code, min_items=1, max_items=2)

        struct Thing
            "A thing on a shelf."
            union
                book Book
                disc Disc
            name String
            note String?
                @common.Old
                "Better left alone."

        struct Book extends Thing
            pages UInt32(max_value=5000)
            size UInt64
            bought common.Day
            weight Float64(min_value=0, max_value=90.5)?
            cover Bytes?
            is_lent Boolean = false
            internal_mark String?
                @common.Hidden

            example default
                name = "A"
                pages = 1

        struct Disc extends Thing
            tracks List(String(max_length=10))?

        struct Person
            name Code
            age Int32?
            example String?

        union Place
            example
                "A tag of this name is no example."
            shelf
            box UInt32
            lent Person
            gone Person?
            thing Thing
            spot Spot
                union_closed
                    left
                    right

        union_closed Order
            asc
            desc
            secret
                @common.Hidden

        union_closed Job extends common.JobBase
            complete

        patch struct Person
            town String?

        struct FindArg
            codes Codes?
            order Order = asc
            place Place?
            limit UInt64(min_value=1, max_value=100) = 10
            since common.Moment?
            tags Map(String(min_length=2), Int64)?
            path String(pattern="(/(.|[\\r\\n])*)?") = ""

        struct FindResult
            things List(Thing)
            has_more Boolean

        union FindError
            no_shelf
            bad_code Code

        route find (FindArg, FindResult, FindError)
            "Finds things."
            attrs
                auth = "user"

        route find:2 (FindArg, FindResult, FindError) deprecated by find
            attrs
                auth = "user"

        route add (Book, Book, FindError)
            attrs
                host = "content"
                style = "upload"

        route fetch (Person, Book, FindError)
            attrs
                host = "content"
                style = "download"

        route wait (Person, Void, Void)
            attrs
                auth = "noauth"
                host = "notify"

        route job/check (Void, Job, Void)
        """#

    static let errors = """
        namespace auth

        union AuthError
            expired

        union RateLimitReason
            too_many

        struct RateLimitError
            reason RateLimitReason
            retry_after UInt64 = 1
        """

    static func make() throws -> StoneDescription {
        try StoneDescription(
            [("common", common), ("shelf", shelf), ("auth", errors)].map { name, text in
                try StoneParser.parse(text.utf8, file: "\(name).stone")
            }
        )
    }
}
