#include "src/pdu/address_field.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

std::vector<std::uint8_t> octets_in(const PduResult<AddressOctets>& made) {
    REQUIRE(made.has_value());
    return {made->view().begin(), made->view().end()};
}

TEST_CASE("addresses: what is made is read back") {
    for (const std::string number :
         {"1", "12", "491722345678", "12345678901", "*100#abc", "12345678901234567890"}) {
        for (std::uint8_t ton = 0; ton < 8; ++ton) {
            if (ton == ton_name) {
                continue;
            }
            CAPTURE(number);
            const auto octets =
                octets_in(make_address({.number = number, .ton = ton, .npi = 9}, "to"));
            Reader reader(octets);
            const AddressField address = read_address(reader, "TP-DA");
            REQUIRE_FALSE(reader.failed());
            CHECK(reader.rest().empty());
            CHECK(address.number.view() == number);
            CHECK(address.ton == ton);
            CHECK(address.npi == 9);

            const auto centre = octets_in(make_service_centre({.number = number, .ton = ton}));
            Reader centre_reader(centre);
            const auto read = read_service_centre(centre_reader);
            REQUIRE(read.has_value());
            CHECK(centre_reader.rest().empty());
            CHECK(read->number.view() == number);
        }
    }
}

TEST_CASE("addresses: names of 1 to 11 septets are made and read back") {
    for (const std::string name : {"a", "ab", "@", "SmsRack", "SmsRack@", "Info Còte!!", "€€€€€",
                                   "ΦΓΛΩΠΨΣΘΞÆæ", "abcdefghij"}) {
        CAPTURE(name);
        const auto octets =
            octets_in(make_address({.number = name, .ton = ton_name, .npi = 0}, "to"));
        Reader reader(octets);
        const AddressField address = read_address(reader, "TP-OA");
        REQUIRE_FALSE(reader.failed());
        CHECK(reader.rest().empty());
        CHECK(address.number.view() == name);
        CHECK(address.display() == name);
    }
}

TEST_CASE("addresses: what can't be coded is refused") {
    for (const std::string number :
         {"", "+1", "12a4d", "123456789012345678901", "1 2", "12f", "A", "é"}) {
        CAPTURE(number);
        CHECK(make_address({.number = number}, "to").error().code == PduErrc::bad_address);
        CHECK(make_service_centre({.number = number}).error().code == PduErrc::bad_address);
    }
    for (const std::string name : {"", "abcdefghijkl", "€€€€€€", "ж", "\xC3"}) {
        CAPTURE(name);
        CHECK(make_address({.number = name, .ton = ton_name}, "to").error().code ==
              PduErrc::bad_address);
    }
    CHECK(make_service_centre({.number = "123", .ton = ton_name}).error().code ==
          PduErrc::bad_address);
}

TEST_CASE("addresses: as the rack stores them") {
    CHECK(plain_number("+33612345678").ton == ton_international);
    CHECK(plain_number("+33612345678").number == "33612345678");
    CHECK(plain_number("36180").ton == ton_unknown);
    for (const std::string number : {"+33612345678", "36180"}) {
        const auto octets = octets_in(make_address(plain_number(number), "to"));
        Reader reader(octets);
        CHECK(read_address(reader, "TP-OA").display() == number);
    }
}

TEST_CASE("addresses: a filler inside the length shows as f") {
    const std::vector<std::uint8_t> octets{0x04, 0x81, 0x21, 0xF3};
    Reader reader(octets);
    CHECK(read_address(reader, "TP-OA").number.view() == "123f");
}

TEST_CASE("addresses: a service centre field of length 1 has a type and no digits") {
    const std::vector<std::uint8_t> octets{0x01, 0x91};
    Reader reader(octets);
    const auto centre = read_service_centre(reader);
    REQUIRE(centre.has_value());
    CHECK(centre->number.empty());
    CHECK(centre->ton == ton_international);
}

}  // namespace
}  // namespace smsrack::pdu
