#include "src/pdu/alphabet/ussd_text.hpp"

#include <doctest/doctest.h>

namespace smsrack::pdu {

TEST_CASE("ussd_text: by the coding scheme of cell broadcast") {
    struct Case {
        const char* so;
        std::uint8_t dcs;
        bool hex;
        const char* given;
        const char* text;
    };
    for (const Case& one : {
             Case{"GSM 7-bit, a septet in each octet", 0x0F, true, "436172050000", "Caré@@"},
             Case{"the escape is two septets", 0x0F, true, "31321B65", "12€"},
             Case{"UCS-2 of the general group", 0x48, true, "041A0440", "Кр"},
             Case{"UCS-2, though hexadecimal was not requested", 0x48, false, "041A0440", "Кр"},
             Case{"UCS-2 behind two octets of language", 0x11, true, "E531041A", "К"},
             Case{"plain text stays", 0x0F, false, "Credit 12.50", "Credit 12.50"},
             Case{"digits are digits where hexadecimal was not requested", 0x0F, false, "1250",
                  "1250"},
             Case{"8-bit data stays hexadecimal", 0x44, true, "00FF", "00FF"},
             Case{"what is no hexadecimal stays", 0x48, true, "Credit", "Credit"},
             Case{"half an octet too", 0x0F, true, "436", "436"},
             Case{"no septet: as it came", 0x0F, true, "43E9", "43E9"},
             Case{"nothing", 0x0F, true, "", ""},
         }) {
        CAPTURE(one.so);
        CHECK(ussd_text(one.given, one.dcs, one.hex) == one.text);
    }
}

TEST_CASE("cbs_alphabet: all 256 values have one") {
    for (unsigned dcs = 0; dcs < 256; ++dcs) {
        CAPTURE(dcs);
        const Alphabet alphabet = cbs_alphabet(static_cast<std::uint8_t>(dcs));
        const unsigned group = dcs >> 4U;
        const bool by_bits = (group >= 4 && group <= 7) || group == 9;
        if (by_bits) {
            const unsigned bits = (dcs >> 2U) & 3U;
            CHECK((alphabet == Alphabet::ucs2) == (bits == 2));
            CHECK((alphabet == Alphabet::data8) == (bits == 1));
        } else if (group == 0xF) {
            CHECK((alphabet == Alphabet::data8) == ((dcs & 4U) != 0));
        } else {
            CHECK(alphabet == (dcs == 0x11 ? Alphabet::ucs2 : Alphabet::gsm7));
        }
    }
}

}  // namespace smsrack::pdu
