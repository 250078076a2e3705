#include "drivers/gsm/inbox/memory_listing.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {

TEST_CASE(
    "MemoryListing: what was received must be read, what was stored to send only takes a "
    "place") {
    MemoryListing listing;
    listing.begin(Memory::sr);
    CHECK(listing.take("+CMGL: 1,0,,24") == Place{Memory::sr, 1});
    CHECK(listing.take("+CMGL: 7,1,,24") == Place{Memory::sr, 7});
    CHECK_FALSE(listing.take("+CMGL: 9,2,,24"));
    CHECK(listing.is_whole());
    CHECK(listing.lines() == 3);
    CHECK(listing.indexes() == std::vector<std::uint16_t>{1, 7, 9});
    CHECK(listing.shows_empty({Memory::sr, 2}));
    CHECK_FALSE(listing.shows_empty({Memory::sr, 9}));
    CHECK_FALSE(listing.shows_empty({Memory::sm, 2}));  // another memory
}

TEST_CASE("MemoryListing: a torn line spoils the list, and the next begins whole") {
    for (const char* torn : {"+CMGL: ", "+CMGL: -1,0", "+CMGL: 1024,0", "+CMGL: 4,0"}) {
        CAPTURE(torn);
        MemoryListing listing;
        listing.begin(Memory::sm);
        CHECK(listing.take("+CMGL: 4,0,,24"));
        CHECK(listing.is_whole());
        CHECK_FALSE(listing.take(torn));
        CHECK_FALSE(listing.is_whole());
        listing.begin(Memory::sm);
        CHECK(listing.is_whole());
        CHECK(listing.lines() == 0);
        CHECK(listing.shows_empty({Memory::sm, 4}));
    }
    MemoryListing listing;
    listing.begin(Memory::sm);
    listing.spoil();
    CHECK_FALSE(listing.is_whole());
}

}  // namespace smsrack::gsm
