#include "tests/days/incoming.hpp"

#include "tools/modem_model/sms/tpdu.hpp"

#include <fmt/format.h>
#include <string>

namespace smsrack::days {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t short_text = 40;
constexpr std::size_t long_text = 300;  // of two parts
constexpr std::uint8_t panels_reference = 7;

std::string padded(std::string text, std::size_t length) {
    text.resize(length, 'b');
    return text;
}

/// Two to five of one text, within a second.
std::vector<Incoming> equal_texts(Random& random, const std::string& from) {
    std::vector<Incoming> all;
    for (auto count = 2 + random.below(4); count > 0; --count) {
        all.push_back({.kind = IncomingKind::equal_texts,
                       .later = milliseconds(random.below(1'000)),
                       .message = {.from = from, .text = "ALARM zone 4 open"}});
    }
    return all;
}

/// The same alarm for as long as the door is open, from a centre that has no time.
std::vector<Incoming> dead_clock(Random& random, const std::string& from) {
    const std::string stamp = modem_sim::dead_stamp(static_cast<int>(random.below(3)));
    std::vector<Incoming> all;
    for (auto count = 2 + random.below(4); count > 0; --count) {
        const bool soon = random.below(2) == 0;
        all.push_back(
            {.kind = IncomingKind::dead_clock,
             .later = milliseconds(random.below(soon ? 5'000 : 600'000)),
             .message = {.from = from, .text = "ALARM zone 5 open", .time_stamp = stamp}});
    }
    return all;
}

/// Long messages with one reference and one first part, some seconds apart.
std::vector<Incoming> one_reference(Random& random, const std::string& from) {
    std::vector<Incoming> all;
    milliseconds later{0};
    for (auto zone = 2 + random.below(2); zone > 0; --zone) {
        all.push_back(
            {.kind = IncomingKind::one_reference,
             .later = later,
             .message = {.from = from,
                         .text = padded("ALARM PANEL 7 ", 200) + fmt::format("zone {} open", zone),
                         .reference = panels_reference}});
        later += milliseconds(2'000 + random.below(20'000));
    }
    return all;
}

}  // namespace

std::vector<Incoming> draw_incoming(Random& random, std::uint64_t number) {
    const std::string from = fmt::format("+3377{:07}", number);
    switch (random.below(10)) {
        case 0:
            return equal_texts(random, from);
        case 1:
            return dead_clock(random, from);
        case 2:
            return one_reference(random, from);
        case 3:
            return {{.kind = IncomingKind::stop, .message = {.from = from, .text = "STOP"}}};
        default:
            return {{.message = {.from = from,
                                 .text = padded(fmt::format("inbound {} ", number),
                                                random.below(4) == 0 ? long_text : short_text)}}};
    }
}

modem_sim::Inbound plain_incoming(std::uint64_t number) {
    return {.from = fmt::format("+3378{:07}", number), .text = fmt::format("quiet {}", number)};
}

}  // namespace smsrack::days
