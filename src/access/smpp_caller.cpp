#include "src/access/smpp_caller.hpp"

#include "src/access/token.hpp"

namespace smsrack::access {

std::optional<SmppCaller> smpp_caller_of(std::string_view text) {
    for (const bool hears_all : {false, true}) {
        const std::string front = text_of({.hears_all = hears_all});
        const std::string_view name = text.substr(text.starts_with(front) ? front.size() : 0);
        if (text.starts_with(front) && is_token_name(name)) {
            return SmppCaller{.name = std::string(name), .hears_all = hears_all};
        }
    }
    return std::nullopt;
}

}  // namespace smsrack::access
