// A line of a trigger's feed, read in place or by the JSON library: with the same result.
#include "src/api/events/event_line.hpp"

#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"

#include <string>
#include <vector>

namespace smsrack::fuzz {
namespace {

std::string told(const Result<trigger::Event>& event) {
    if (!event) {
        SMSRACK_CHECK(event.error().code == Errc::bad_request ||
                      event.error().code == Errc::bad_encoding);
        return "error " + event.error().context;
    }
    std::string text = std::string(event->number) + "\n" + std::string(event->topic);
    for (const std::string_view field : event->fields) {
        text += field.data() == nullptr ? "\n-" : "\n|" + std::string(field);
    }
    SMSRACK_CHECK(is_utf8(text));
    return text;
}

}  // namespace

int fuzz_event_line(Octets input) {
    const trigger::EventForm form{
        .fields = {"name", "shop"}, .time = true, .tag = true, .place = true};
    const std::vector<std::string_view> lines = lines_of(text_of(input));
    api::EventLineReader reader(form, lines.size() + 1);
    for (const std::string_view line : lines) {
        api::EventLineReader slow(form, 1);
        SMSRACK_CHECK(told(reader.read(line)) == told(slow.read_slowly(line)));
    }
    return 0;
}

}  // namespace smsrack::fuzz
