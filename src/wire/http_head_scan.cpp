#include "src/wire/http_head_scan.hpp"

namespace smsrack::wire {
namespace {

constexpr bool is_control(char c) {
    const auto octet = static_cast<unsigned char>(c);
    return (octet < 0x20 && c != '\t') || octet == 0x7F;
}

}  // namespace

HeadScan::Found HeadScan::scan(std::string_view input, std::size_t& taken) {
    for (taken = 0; taken < input.size();) {
        const Found found = step(input[taken++]);
        if (found != Found::nothing) {
            return found;
        }
    }
    return Found::nothing;
}

HeadScan::Found HeadScan::step(char c) {
    switch (place_) {
        case Place::line:
            if (c == '\r') {
                place_ = Place::line_cr;
            } else if (is_control(c)) {
                return fail(c == '\n' ? "a line ends without CR" : "control character in the head");
            }
            return Found::nothing;
        case Place::before:
        case Place::line_start:
            if (c == '\r') {
                place_ = place_ == Place::before ? Place::before_cr : Place::end_cr;
                return Found::nothing;
            }
            if (c == ' ' || c == '\t') {
                return fail(place_ == Place::before ? "blank before the request line"
                                                    : "folded header line");
            }
            if (c == ':') {
                // Llhttp gives its value to the header before.
                return fail("header without a name");
            }
            if (is_control(c)) {
                return fail(c == '\n' ? "a line ends without CR" : "control character in the head");
            }
            place_ = Place::line;
            return Found::nothing;
        case Place::before_cr:
        case Place::line_cr:
        case Place::end_cr:
            if (c != '\n') {
                return fail("CR without LF in the head");
            }
            if (place_ == Place::end_cr) {
                place_ = Place::before;
                return Found::end;
            }
            place_ = place_ == Place::before_cr ? Place::before : Place::line_start;
            return Found::nothing;
    }
    return Found::nothing;
}

HeadScan::Found HeadScan::fail(std::string_view reason) {
    fault_ = reason;
    return Found::fault;
}

}  // namespace smsrack::wire
