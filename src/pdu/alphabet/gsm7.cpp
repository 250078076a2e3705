#include "src/pdu/alphabet/gsm7.hpp"

#include "src/base/check.hpp"
#include "src/pdu/alphabet/utf8.hpp"

#include <algorithm>

namespace smsrack::pdu {
namespace {

constexpr std::uint8_t septet_mask = 0x7F;

/// Eight octets as one number, the first the least significant.
std::uint64_t load(const std::uint8_t* octets) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 8; ++i) {
        word |= std::uint64_t{octets[i]} << (8 * i);
    }
    return word;
}

/// The character for an escape and this code: that of the main table if the shift table has none.
char16_t shifted(std::uint8_t code, Gsm7Tables tables) {
    const char16_t character = tables.shift->characters[code];
    return character != no_character ? character : tables.main->characters[code];
}

char16_t or_space(char16_t character) {
    return character == no_character ? u' ' : character;
}

}  // namespace

void unpack_septets(Octets packed, std::size_t first, std::size_t count, Septets& out) {
    constexpr std::size_t packed_max = octets_of_septets(septets_max);
    SMSRACK_CHECK(packed.size() <= packed_max && first + count <= septets_max);
    SMSRACK_CHECK(octets_of_septets(first + count) <= packed.size());
    // A group of eight septets is loaded whole, also at the end.
    std::array<std::uint8_t, packed_max + 8> octets;
    std::fill_n(std::ranges::copy(packed, octets.begin()).out, 8, std::uint8_t{0});

    for (std::size_t done = 0; done < count; done += 8) {
        const std::size_t bit = (first + done) * 7;
        std::uint64_t group = load(octets.data() + bit / 8) >> (bit % 8);  // 57 bits at least
        const std::size_t in_group = std::min<std::size_t>(8, count - done);
        for (std::size_t i = 0; i < in_group; ++i) {
            out[done + i] = static_cast<std::uint8_t>(group) & septet_mask;
            group >>= 7U;
        }
    }
}

void pack_septets(std::span<const std::uint8_t> septets, std::size_t first,
                  std::span<std::uint8_t> out) {
    SMSRACK_CHECK(octets_of_septets(first + septets.size()) <= out.size());
    std::size_t at = first * 7 / 8;
    auto bits = static_cast<unsigned>(first * 7 % 8);
    std::uint32_t held = septets.empty() ? 0 : out[at];
    for (const std::uint8_t septet : septets) {
        held |= static_cast<std::uint32_t>(septet & septet_mask) << bits;
        bits += 7;
        if (bits >= 8) {
            out[at] = static_cast<std::uint8_t>(held);
            ++at;
            held >>= 8U;
            bits -= 8;
        }
    }
    if (bits > 0 && !septets.empty()) {
        out[at] = static_cast<std::uint8_t>(held);
    }
}

char* put_gsm7_text(char* out, std::span<const std::uint8_t> septets, Gsm7Tables tables) {
    for (std::size_t i = 0; i < septets.size(); ++i) {
        const std::uint8_t code = septets[i];
        if (code != escape_code) {
            out = put_utf8(out, or_space(tables.main->characters[code]));
        } else if (i + 1 == septets.size()) {
            *out++ = ' ';
        } else {
            // Escape and escape is one space (6.2.1.1, note 1): neither table has a character
            // there.
            ++i;
            out = put_utf8(out, or_space(shifted(septets[i], tables)));
        }
    }
    return out;
}

}  // namespace smsrack::pdu
