// What a modem says, cut into lines, each of one class; and the fields of a line.
#include "drivers/at/final_result.hpp"
#include "drivers/at/line_class.hpp"
#include "drivers/at/line_framer.hpp"
#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/fields.hpp"
#include "drivers/wavecom/profile.hpp"
#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace smsrack::fuzz {
namespace {

/// The lines; between two pieces another framer continues.
std::vector<std::string> framed(const std::vector<std::string_view>& pieces, bool carried) {
    std::vector<std::string> lines;
    at::LineFramer framer;
    framer.expect_prompt(true);
    for (const std::string_view piece : pieces) {
        std::span<const char> bytes(piece);
        while (const auto line = framer.next(bytes)) {
            lines.emplace_back(line->text);
            SMSRACK_CHECK(!line->prompt || line->text == "> ");
            SMSRACK_CHECK(line->prompt || !line->text.ends_with(' '));
        }
        SMSRACK_CHECK(bytes.empty());
        if (carried) {
            const std::string half = framer.half_line();
            const bool prompt = framer.expects_prompt();
            framer = at::LineFramer();
            framer.resume(half, prompt);
        }
    }
    return lines;
}

void check_class(std::string_view line) {
    const auto final_result = at::parse_final_result(line);
    const at::LineKind kind = at::classify(line, {}, wavecom::profile.urcs.rules());
    SMSRACK_CHECK((kind == at::LineKind::final_result) == final_result.has_value());
    const bool is_urc = at::find_urc(line, wavecom::profile.urcs.rules()) != nullptr;
    SMSRACK_CHECK((kind == at::LineKind::urc) == (is_urc && !final_result));
    SMSRACK_CHECK(is_urc || wavecom::profile.urcs.of(line) == gsm::Urc::other);
    SMSRACK_CHECK(at::classify(line, {.echo = line}, wavecom::profile.urcs.rules()) ==
                  at::LineKind::echo);
    if (final_result) {
        SMSRACK_CHECK(at::parse_final_result(at::to_text(*final_result)) == final_result);
    }
}

void check_pdu(std::string_view line) {
    const auto octets = at::octets_of(line);
    SMSRACK_CHECK(octets.has_value() == at::is_hex_line(line));
    if (!octets) {
        return;
    }
    std::string hex;
    at::append_hex(hex, *octets);
    SMSRACK_CHECK(std::ranges::equal(hex, line, [](char upper, char c) {
        return upper == (c >= 'a' && c <= 'f' ? c - 'a' + 'A' : c);
    }));
    if (const auto length = at::tpdu_length(*octets)) {
        SMSRACK_CHECK(*length >= 1 && *length < octets->size());
        SMSRACK_CHECK(at::pdu_fits("+CMT: ,", line) == false);
        SMSRACK_CHECK(at::pdu_fits("+CMT: ," + std::to_string(*length), line));
    }
}

void check_fields(std::string_view line) {
    for (std::size_t i = 0; i < 8; ++i) {
        const std::string_view field = gsm::field(line, i);
        SMSRACK_CHECK(field.empty() || line.contains(field));
        const auto number = gsm::number_field(line, i);
        SMSRACK_CHECK(!number || !field.empty());
    }
}

}  // namespace

int fuzz_at_lines(Octets input) {
    const std::string_view text = text_of(input);
    const std::vector<std::string> lines = framed({text}, false);
    for (const auto& pieces : ways_to_come(text)) {
        SMSRACK_CHECK(framed(pieces, false) == lines);
        SMSRACK_CHECK(framed(pieces, true) == lines);
    }
    for (const std::string& line : lines) {
        SMSRACK_CHECK(!line.empty() && line.size() <= at::LineFramer::line_max);
        SMSRACK_CHECK(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }));
        check_class(line);
        check_pdu(line);
        check_fields(line);
    }
    check_fields(text);
    check_pdu(text);
    return 0;
}

}  // namespace smsrack::fuzz
