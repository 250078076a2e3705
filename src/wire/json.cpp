#include "src/wire/json.hpp"

#include <cstddef>

namespace smsrack::wire {

Result<Json> parse_json(std::string_view text) {
    // Deeper than any request of ours; bounds the recursion of what comes after.
    constexpr int depth_max = 64;
    // nlohmann takes a NUL for the end of the text, whatever comes behind it.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return fail(Errc::bad_request, "not one JSON value in valid UTF-8",
                    static_cast<int>(nul + 1));
    }
    bool too_deep = false;
    const auto watch = [&](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > depth_max;
        return !too_deep;
    };
    try {
        Json value = text.find_first_of("[{", 1) == std::string_view::npos
                         ? Json::parse(text)
                         : Json::parse(text, watch);
        if (too_deep) {
            return fail(Errc::bad_request, "JSON: more than 64 levels deep");
        }
        return value;
    } catch (const Json::parse_error& error) {
        return fail(Errc::bad_request, "not one JSON value in valid UTF-8",
                    static_cast<int>(error.byte));
    } catch (const Json::exception&) {
        return fail(Errc::bad_request, "not one JSON value in valid UTF-8");
    }
}

}  // namespace smsrack::wire
