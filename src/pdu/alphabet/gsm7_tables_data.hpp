/// The characters of the GSM 7-bit tables, as data.
///
/// Written by tools/scripts/make_gsm7_tables: change that, not this.
/// Source:  3GPP TS 23.038 6.2.1 and Annex A.
#pragma once

#include "src/pdu/alphabet/gsm7_tables.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace smsrack::pdu::data {

/// Characters of codes that follow each other, in the tables of `first` to `last`; a later row counts more.
/// no_character where the table has none.
struct CharacterRun {
    std::uint8_t first = 0;
    std::uint8_t last = 0;
    std::uint8_t code = 0;
    std::u16string_view characters = {};
};

// clang-format off
inline constexpr std::array<CharacterRun, 157> locking_tables{{
    // default
    {0, 13, 0x00, u"@\u00A3$\u00A5\u00E8\u00E9\u00F9\u00EC\u00F2\u00C7\u000A\u00D8\u00F8\u000D\u00C5\u00E5"},
    {0, 13, 0x10, u"\u0394_\u03A6\u0393\u039B\u03A9\u03A0\u03A8\u03A3\u0398\u039E"},
    {0, 13, 0x1C, u"\u00C6\u00E6\u00DF\u00C9 !\u0022#\u00A4%&'()*+"},
    {0, 13, 0x2C, u",-./0123456789:;"},
    {0, 13, 0x3C, u"<=>?\u00A1ABCDEFGHIJK"},
    {0, 13, 0x4C, u"LMNOPQRSTUVWXYZ\u00C4"},
    {0, 13, 0x5C, u"\u00D6\u00D1\u00DC\u00A7\u00BFabcdefghijk"},
    {0, 13, 0x6C, u"lmnopqrstuvwxyz\u00E4"},
    {0, 13, 0x7C, u"\u00F6\u00F1\u00FC\u00E0"},
    // bengali to urdu
    {4, 13, 0x28, u")("},
    // turkish
    {1, 1, 0x04, u"\u20AC"},
    {1, 1, 0x07, u"\u0131"},
    {1, 1, 0x0B, u"\u011E\u011F"},
    {1, 1, 0x1C, u"\u015E\u015F"},
    {1, 1, 0x40, u"\u0130"},
    {1, 1, 0x60, u"\u00E7"},
    // portuguese
    {3, 3, 0x04, u"\u00EA"},
    {3, 3, 0x06, u"\u00FA\u00ED\u00F3\u00E7"},
    {3, 3, 0x0B, u"\u00D4\u00F4"},
    {3, 3, 0x0E, u"\u00C1\u00E1"},
    {3, 3, 0x12, u"\u00AA\u00C7\u00C0\u221E^\u005C\u20AC\u00D3|"},
    {3, 3, 0x1C, u"\u00C2\u00E2\u00CA"},
    {3, 3, 0x24, u"\u00BA"},
    {3, 3, 0x40, u"\u00CD"},
    {3, 3, 0x5B, u"\u00C3\u00D5\u00DA"},
    {3, 3, 0x60, u"~"},
    {3, 3, 0x7B, u"\u00E3\u00F5`"},
    // bengali
    {4, 4, 0x00, u"\u0981\u0982\u0983\u0985\u0986\u0987\u0988\u0989\u098A\u098B"},
    {4, 4, 0x0B, u"\u098C\uFFFF"},
    {4, 4, 0x0E, u"\uFFFF\u098F\u0990\uFFFF\uFFFF\u0993\u0994\u0995\u0996\u0997\u0998\u0999\u099A"},
    {4, 4, 0x1C, u"\u099B\u099C\u099D\u099E"},
    {4, 4, 0x22, u"\u099F\u09A0\u09A1\u09A2\u09A3\u09A4"},
    {4, 4, 0x2A, u"\u09A5\u09A6"},
    {4, 4, 0x2D, u"\u09A7"},
    {4, 4, 0x2F, u"\u09A8"},
    {4, 4, 0x3C, u"\uFFFF\u09AA\u09AB"},
    {4, 4, 0x40, u"\u09AC\u09AD\u09AE\u09AF\u09B0\uFFFF\u09B2\uFFFF\uFFFF\uFFFF\u09B6\u09B7\u09B8\u09B9\u09BC\u09BD"},
    {4, 4, 0x50, u"\u09BE\u09BF\u09C0\u09C1\u09C2\u09C3\u09C4\uFFFF\uFFFF\u09C7\u09C8\uFFFF\uFFFF\u09CB\u09CC\u09CD"},
    {4, 4, 0x60, u"\u09CE"},
    {4, 4, 0x7B, u"\u09D7\u09DC\u09DD\u09F0\u09F1"},
    // gujarati
    {5, 5, 0x00, u"\u0A81\u0A82\u0A83\u0A85\u0A86\u0A87\u0A88\u0A89\u0A8A\u0A8B"},
    {5, 5, 0x0B, u"\u0A8C\u0A8D"},
    {5, 5, 0x0E, u"\uFFFF\u0A8F\u0A90\u0A91\uFFFF\u0A93\u0A94\u0A95\u0A96\u0A97\u0A98\u0A99\u0A9A"},
    {5, 5, 0x1C, u"\u0A9B\u0A9C\u0A9D\u0A9E"},
    {5, 5, 0x22, u"\u0A9F\u0AA0\u0AA1\u0AA2\u0AA3\u0AA4"},
    {5, 5, 0x2A, u"\u0AA5\u0AA6"},
    {5, 5, 0x2D, u"\u0AA7"},
    {5, 5, 0x2F, u"\u0AA8"},
    {5, 5, 0x3C, u"\uFFFF\u0AAA\u0AAB"},
    {5, 5, 0x40, u"\u0AAC\u0AAD\u0AAE\u0AAF\u0AB0\uFFFF\u0AB2\u0AB3\uFFFF\u0AB5\u0AB6\u0AB7\u0AB8\u0AB9\u0ABC\u0ABD"},
    {5, 5, 0x50, u"\u0ABE\u0ABF\u0AC0\u0AC1\u0AC2\u0AC3\u0AC4\u0AC5\uFFFF\u0AC7\u0AC8\u0AC9\uFFFF\u0ACB\u0ACC\u0ACD"},
    {5, 5, 0x60, u"\u0AD0"},
    {5, 5, 0x7B, u"\u0AE0\u0AE1\u0AE2\u0AE3\u0AF1"},
    // hindi
    {6, 6, 0x00, u"\u0901\u0902\u0903\u0905\u0906\u0907\u0908\u0909\u090A\u090B"},
    {6, 6, 0x0B, u"\u090C\u090D"},
    {6, 6, 0x0E, u"\u090E\u090F\u0910\u0911\u0912\u0913\u0914\u0915\u0916\u0917\u0918\u0919\u091A"},
    {6, 6, 0x1C, u"\u091B\u091C\u091D\u091E"},
    {6, 6, 0x22, u"\u091F\u0920\u0921\u0922\u0923\u0924"},
    {6, 6, 0x2A, u"\u0925\u0926"},
    {6, 6, 0x2D, u"\u0927"},
    {6, 6, 0x2F, u"\u0928"},
    {6, 6, 0x3C, u"\u0929\u092A\u092B"},
    {6, 6, 0x40, u"\u092C\u092D\u092E\u092F\u0930\u0931\u0932\u0933\u0934\u0935\u0936\u0937\u0938\u0939\u093C\u093D"},
    {6, 6, 0x50, u"\u093E\u093F\u0940\u0941\u0942\u0943\u0944\u0945\u0946\u0947\u0948\u0949\u094A\u094B\u094C\u094D"},
    {6, 6, 0x60, u"\u0950"},
    {6, 6, 0x7B, u"\u0972\u097B\u097C\u097E\u097F"},
    // kannada
    {7, 7, 0x00, u"\uFFFF\u0C82\u0C83\u0C85\u0C86\u0C87\u0C88\u0C89\u0C8A\u0C8B"},
    {7, 7, 0x0B, u"\u0C8C\uFFFF"},
    {7, 7, 0x0E, u"\u0C8E\u0C8F\u0C90\uFFFF\u0C92\u0C93\u0C94\u0C95\u0C96\u0C97\u0C98\u0C99\u0C9A"},
    {7, 7, 0x1C, u"\u0C9B\u0C9C\u0C9D\u0C9E"},
    {7, 7, 0x22, u"\u0C9F\u0CA0\u0CA1\u0CA2\u0CA3\u0CA4"},
    {7, 7, 0x2A, u"\u0CA5\u0CA6"},
    {7, 7, 0x2D, u"\u0CA7"},
    {7, 7, 0x2F, u"\u0CA8"},
    {7, 7, 0x3C, u"\uFFFF\u0CAA\u0CAB"},
    {7, 7, 0x40, u"\u0CAC\u0CAD\u0CAE\u0CAF\u0CB0\u0CB1\u0CB2\u0CB3\uFFFF\u0CB5\u0CB6\u0CB7\u0CB8\u0CB9\u0CBC\u0CBD"},
    {7, 7, 0x50, u"\u0CBE\u0CBF\u0CC0\u0CC1\u0CC2\u0CC3\u0CC4\uFFFF\u0CC6\u0CC7\u0CC8\uFFFF\u0CCA\u0CCB\u0CCC\u0CCD"},
    {7, 7, 0x60, u"\u0CD5"},
    {7, 7, 0x7B, u"\u0CD6\u0CE0\u0CE1\u0CE2\u0CE3"},
    // malayalam
    {8, 8, 0x00, u"\uFFFF\u0D02\u0D03\u0D05\u0D06\u0D07\u0D08\u0D09\u0D0A\u0D0B"},
    {8, 8, 0x0B, u"\u0D0C\uFFFF"},
    {8, 8, 0x0E, u"\u0D0E\u0D0F\u0D10\uFFFF\u0D12\u0D13\u0D14\u0D15\u0D16\u0D17\u0D18\u0D19\u0D1A"},
    {8, 8, 0x1C, u"\u0D1B\u0D1C\u0D1D\u0D1E"},
    {8, 8, 0x22, u"\u0D1F\u0D20\u0D21\u0D22\u0D23\u0D24"},
    {8, 8, 0x2A, u"\u0D25\u0D26"},
    {8, 8, 0x2D, u"\u0D27"},
    {8, 8, 0x2F, u"\u0D28"},
    {8, 8, 0x3C, u"\uFFFF\u0D2A\u0D2B"},
    {8, 8, 0x40, u"\u0D2C\u0D2D\u0D2E\u0D2F\u0D30\u0D31\u0D32\u0D33\u0D34\u0D35\u0D36\u0D37\u0D38\u0D39\uFFFF\u0D3D"},
    {8, 8, 0x50, u"\u0D3E\u0D3F\u0D40\u0D41\u0D42\u0D43\u0D44\uFFFF\u0D46\u0D47\u0D48\uFFFF\u0D4A\u0D4B\u0D4C\u0D4D"},
    {8, 8, 0x60, u"\u0D57"},
    {8, 8, 0x7B, u"\u0D60\u0D61\u0D62\u0D63\u0D79"},
    // oriya
    {9, 9, 0x00, u"\u0B01\u0B02\u0B03\u0B05\u0B06\u0B07\u0B08\u0B09\u0B0A\u0B0B"},
    {9, 9, 0x0B, u"\u0B0C\uFFFF"},
    {9, 9, 0x0E, u"\uFFFF\u0B0F\u0B10\uFFFF\uFFFF\u0B13\u0B14\u0B15\u0B16\u0B17\u0B18\u0B19\u0B1A"},
    {9, 9, 0x1C, u"\u0B1B\u0B1C\u0B1D\u0B1E"},
    {9, 9, 0x22, u"\u0B1F\u0B20\u0B21\u0B22\u0B23\u0B24"},
    {9, 9, 0x2A, u"\u0B25\u0B26"},
    {9, 9, 0x2D, u"\u0B27"},
    {9, 9, 0x2F, u"\u0B28"},
    {9, 9, 0x3C, u"\uFFFF\u0B2A\u0B2B"},
    {9, 9, 0x40, u"\u0B2C\u0B2D\u0B2E\u0B2F\u0B30\uFFFF\u0B32\u0B33\uFFFF\u0B35\u0B36\u0B37\u0B38\u0B39\u0B3C\u0B3D"},
    {9, 9, 0x50, u"\u0B3E\u0B3F\u0B40\u0B41\u0B42\u0B43\u0B44\uFFFF\uFFFF\u0B47\u0B48\uFFFF\uFFFF\u0B4B\u0B4C\u0B4D"},
    {9, 9, 0x60, u"\u0B56"},
    {9, 9, 0x7B, u"\u0B57\u0B60\u0B61\u0B62\u0B63"},
    // punjabi
    {10, 10, 0x00, u"\u0A01\u0A02\u0A03\u0A05\u0A06\u0A07\u0A08\u0A09\u0A0A\uFFFF"},
    {10, 10, 0x0B, u"\uFFFF\uFFFF"},
    {10, 10, 0x0E, u"\uFFFF\u0A0F\u0A10\uFFFF\uFFFF\u0A13\u0A14\u0A15\u0A16\u0A17\u0A18\u0A19\u0A1A"},
    {10, 10, 0x1C, u"\u0A1B\u0A1C\u0A1D\u0A1E"},
    {10, 10, 0x22, u"\u0A1F\u0A20\u0A21\u0A22\u0A23\u0A24"},
    {10, 10, 0x2A, u"\u0A25\u0A26"},
    {10, 10, 0x2D, u"\u0A27"},
    {10, 10, 0x2F, u"\u0A28"},
    {10, 10, 0x3C, u"\uFFFF\u0A2A\u0A2B"},
    {10, 10, 0x40, u"\u0A2C\u0A2D\u0A2E\u0A2F\u0A30\uFFFF\u0A32\u0A33\uFFFF\u0A35\u0A36\uFFFF\u0A38\u0A39\u0A3C\uFFFF"},
    {10, 10, 0x50, u"\u0A3E\u0A3F\u0A40\u0A41\u0A42\uFFFF\uFFFF\uFFFF\uFFFF\u0A47\u0A48\uFFFF\uFFFF\u0A4B\u0A4C\u0A4D"},
    {10, 10, 0x60, u"\u0A51"},
    {10, 10, 0x7B, u"\u0A70\u0A71\u0A72\u0A73\u0A74"},
    // tamil
    {11, 11, 0x00, u"\uFFFF\u0B82\u0B83\u0B85\u0B86\u0B87\u0B88\u0B89\u0B8A\uFFFF"},
    {11, 11, 0x0B, u"\uFFFF\uFFFF"},
    {11, 11, 0x0E, u"\u0B8E\u0B8F\u0B90\uFFFF\u0B92\u0B93\u0B94\u0B95\uFFFF\uFFFF\uFFFF\u0B99\u0B9A"},
    {11, 11, 0x1C, u"\uFFFF\u0B9C\uFFFF\u0B9E"},
    {11, 11, 0x22, u"\u0B9F\uFFFF\uFFFF\uFFFF\u0BA3\u0BA4"},
    {11, 11, 0x2A, u"\uFFFF\uFFFF"},
    {11, 11, 0x2D, u"\uFFFF"},
    {11, 11, 0x2F, u"\u0BA8"},
    {11, 11, 0x3C, u"\u0BA9\u0BAA\uFFFF"},
    {11, 11, 0x40, u"\uFFFF\uFFFF\u0BAE\u0BAF\u0BB0\u0BB1\u0BB2\u0BB3\u0BB4\u0BB5\u0BB6\u0BB7\u0BB8\u0BB9\uFFFF\uFFFF"},
    {11, 11, 0x50, u"\u0BBE\u0BBF\u0BC0\u0BC1\u0BC2\uFFFF\uFFFF\uFFFF\u0BC6\u0BC7\u0BC8\uFFFF\u0BCA\u0BCB\u0BCC\u0BCD"},
    {11, 11, 0x60, u"\u0BD0"},
    {11, 11, 0x7B, u"\u0BD7\u0BF0\u0BF1\u0BF2\u0BF9"},
    // telugu
    {12, 12, 0x00, u"\u0C01\u0C02\u0C03\u0C05\u0C06\u0C07\u0C08\u0C09\u0C0A\u0C0B"},
    {12, 12, 0x0B, u"\u0C0C\uFFFF"},
    {12, 12, 0x0E, u"\u0C0E\u0C0F\u0C10\uFFFF\u0C12\u0C13\u0C14\u0C15\u0C16\u0C17\u0C18\u0C19\u0C1A"},
    {12, 12, 0x1C, u"\u0C1B\u0C1C\u0C1D\u0C1E"},
    {12, 12, 0x22, u"\u0C1F\u0C20\u0C21\u0C22\u0C23\u0C24"},
    {12, 12, 0x2A, u"\u0C25\u0C26"},
    {12, 12, 0x2D, u"\u0C27"},
    {12, 12, 0x2F, u"\u0C28"},
    {12, 12, 0x3C, u"\uFFFF\u0C2A\u0C2B"},
    {12, 12, 0x40, u"\u0C2C\u0C2D\u0C2E\u0C2F\u0C30\u0C31\u0C32\u0C33\uFFFF\u0C35\u0C36\u0C37\u0C38\u0C39\uFFFF\u0C3D"},
    {12, 12, 0x50, u"\u0C3E\u0C3F\u0C40\u0C41\u0C42\u0C43\u0C44\uFFFF\u0C46\u0C47\u0C48\uFFFF\u0C4A\u0C4B\u0C4C\u0C4D"},
    {12, 12, 0x60, u"\u0C55"},
    {12, 12, 0x7B, u"\u0C56\u0C60\u0C61\u0C62\u0C63"},
    // urdu
    {13, 13, 0x00, u"\u0627\u0622\u0628\u067B\u0680\u067E\u06A6\u062A\u06C2\u067F"},
    {13, 13, 0x0B, u"\u0679\u067D"},
    {13, 13, 0x0E, u"\u067A\u067C\u062B\u062C\u0681\u0684\u0683\u0685\u0686\u0687\u062D\u062E\u062F"},
    {13, 13, 0x1C, u"\u068C\u0688\u0689\u068A"},
    {13, 13, 0x22, u"\u068F\u068D\u0630\u0631\u0691\u0693"},
    {13, 13, 0x2A, u"\u0699\u0632"},
    {13, 13, 0x2D, u"\u0696"},
    {13, 13, 0x2F, u"\u0698"},
    {13, 13, 0x3C, u"\u069A\u0633\u0634"},
    {13, 13, 0x40, u"\u0635\u0636\u0637\u0638\u0639\u0641\u0642\u06A9\u06AA\u06AB\u06AF\u06B3\u06B1\u0644\u0645\u0646"},
    {13, 13, 0x50, u"\u06BA\u06BB\u06BC\u0648\u06C4\u06D5\u06C1\u06BE\u0621\u06CC\u06D0\u06D2\u064D\u0650\u064F\u0657"},
    {13, 13, 0x60, u"\u0654"},
    {13, 13, 0x7B, u"\u0655\u0651\u0653\u0656\u0670"},
}};

inline constexpr std::array<CharacterRun, 81> single_shifts{{
    // default
    {0, 13, 0x0A, u"\u000C"},
    {0, 13, 0x14, u"^"},
    {0, 13, 0x28, u"{}"},
    {0, 13, 0x2F, u"\u005C"},
    {0, 13, 0x3C, u"[~]"},
    {0, 13, 0x40, u"|"},
    {0, 13, 0x65, u"\u20AC"},
    // bengali to urdu
    {4, 13, 0x00, u"@\u00A3$\u00A5\u00BF\u0022\u00A4%&'"},
    {4, 13, 0x0B, u"*+"},
    {4, 13, 0x0E, u"-/<=>\u00A1"},
    {4, 13, 0x15, u"\u00A1_#*"},
    {4, 13, 0x41, u"ABCDEFGHIJKLMNOP"},
    {4, 13, 0x51, u"QRSTUVWXYZ"},
    // turkish
    {1, 1, 0x47, u"\u011E"},
    {1, 1, 0x49, u"\u0130"},
    {1, 1, 0x53, u"\u015E"},
    {1, 1, 0x63, u"\u00E7"},
    {1, 1, 0x67, u"\u011F"},
    {1, 1, 0x69, u"\u0131"},
    {1, 1, 0x73, u"\u015F"},
    // spanish
    {2, 2, 0x09, u"\u00E7"},
    {2, 2, 0x41, u"\u00C1"},
    {2, 2, 0x49, u"\u00CD"},
    {2, 2, 0x4F, u"\u00D3"},
    {2, 2, 0x55, u"\u00DA"},
    {2, 2, 0x61, u"\u00E1"},
    {2, 2, 0x69, u"\u00ED"},
    {2, 2, 0x6F, u"\u00F3"},
    {2, 2, 0x75, u"\u00FA"},
    // portuguese
    {3, 3, 0x05, u"\u00EA"},
    {3, 3, 0x09, u"\u00E7"},
    {3, 3, 0x0B, u"\u00D4\u00F4"},
    {3, 3, 0x0E, u"\u00C1\u00E1"},
    {3, 3, 0x12, u"\u03A6\u0393"},
    {3, 3, 0x15, u"\u03A9\u03A0\u03A8\u03A3\u0398"},
    {3, 3, 0x1F, u"\u00CA"},
    {3, 3, 0x41, u"\u00C0"},
    {3, 3, 0x49, u"\u00CD"},
    {3, 3, 0x4F, u"\u00D3"},
    {3, 3, 0x55, u"\u00DA"},
    {3, 3, 0x5B, u"\u00C3\u00D5"},
    {3, 3, 0x61, u"\u00C2"},
    {3, 3, 0x69, u"\u00ED"},
    {3, 3, 0x6F, u"\u00F3"},
    {3, 3, 0x75, u"\u00FA"},
    {3, 3, 0x7B, u"\u00E3\u00F5"},
    {3, 3, 0x7F, u"\u00E2"},
    // bengali
    {4, 4, 0x19, u"\u09E6\u09E7"},
    {4, 4, 0x1C, u"\u09E8\u09E9\u09EA\u09EB\u09EC\u09ED\u09EE\u09EF\u09DF\u09E0\u09E1\u09E2"},
    {4, 4, 0x2A, u"\u09E3\u09F2\u09F3\u09F4\u09F5"},
    {4, 4, 0x30, u"\u09F6\u09F7\u09F8\u09F9\u09FA"},
    // gujarati
    {5, 5, 0x19, u"\u0964\u0965"},
    {5, 5, 0x1C, u"\u0AE6\u0AE7\u0AE8\u0AE9\u0AEA\u0AEB\u0AEC\u0AED\u0AEE\u0AEF"},
    // hindi
    {6, 6, 0x19, u"\u0964\u0965"},
    {6, 6, 0x1C, u"\u0966\u0967\u0968\u0969\u096A\u096B\u096C\u096D\u096E\u096F\u0951\u0952"},
    {6, 6, 0x2A, u"\u0953\u0954\u0958\u0959\u095A"},
    {6, 6, 0x30, u"\u095B\u095C\u095D\u095E\u095F\u0960\u0961\u0962\u0963\u0970\u0971"},
    // kannada
    {7, 7, 0x19, u"\u0964\u0965"},
    {7, 7, 0x1C, u"\u0CE6\u0CE7\u0CE8\u0CE9\u0CEA\u0CEB\u0CEC\u0CED\u0CEE\u0CEF\u0CDE\u0CF1"},
    {7, 7, 0x2A, u"\u0CF2"},
    // malayalam
    {8, 8, 0x19, u"\u0964\u0965"},
    {8, 8, 0x1C, u"\u0D66\u0D67\u0D68\u0D69\u0D6A\u0D6B\u0D6C\u0D6D\u0D6E\u0D6F\u0D70\u0D71"},
    {8, 8, 0x2A, u"\u0D72\u0D73\u0D74\u0D75\u0D7A"},
    {8, 8, 0x30, u"\u0D7B\u0D7C\u0D7D\u0D7E\u0D7F"},
    // oriya
    {9, 9, 0x19, u"\u0964\u0965"},
    {9, 9, 0x1C, u"\u0B66\u0B67\u0B68\u0B69\u0B6A\u0B6B\u0B6C\u0B6D\u0B6E\u0B6F\u0B5C\u0B5D"},
    {9, 9, 0x2A, u"\u0B5F\u0B70\u0B71"},
    // punjabi
    {10, 10, 0x19, u"\u0964\u0965"},
    {10, 10, 0x1C, u"\u0A66\u0A67\u0A68\u0A69\u0A6A\u0A6B\u0A6C\u0A6D\u0A6E\u0A6F\u0A59\u0A5A"},
    {10, 10, 0x2A, u"\u0A5B\u0A5C\u0A5E\u0A75"},
    // tamil
    {11, 11, 0x19, u"\u0964\u0965"},
    {11, 11, 0x1C, u"\u0BE6\u0BE7\u0BE8\u0BE9\u0BEA\u0BEB\u0BEC\u0BED\u0BEE\u0BEF\u0BF3\u0BF4"},
    {11, 11, 0x2A, u"\u0BF5\u0BF6\u0BF7\u0BF8\u0BFA"},
    // telugu
    {12, 12, 0x1C, u"\u0C66\u0C67\u0C68\u0C69\u0C6A\u0C6B\u0C6C\u0C6D\u0C6E\u0C6F\u0C58\u0C59"},
    {12, 12, 0x2A, u"\u0C78\u0C79\u0C7A\u0C7B\u0C7C"},
    {12, 12, 0x30, u"\u0C7D\u0C7E\u0C7F"},
    // urdu
    {13, 13, 0x19, u"\u0600\u0601"},
    {13, 13, 0x1C, u"\u06F0\u06F1\u06F2\u06F3\u06F4\u06F5\u06F6\u06F7\u06F8\u06F9\u060C\u060D"},
    {13, 13, 0x2A, u"\u060E\u060F\u0610\u0611\u0612"},
    {13, 13, 0x30, u"\u0613\u0614\u061B\u061F\u0640\u0652\u0658\u066B\u066C\u0672\u0673\u06CD"},
    {13, 13, 0x3F, u"\u06D4"},
}};
// clang-format on

}  // namespace smsrack::pdu::data
