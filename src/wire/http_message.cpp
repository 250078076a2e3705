#include "src/wire/http_message.hpp"

namespace smsrack::wire {

std::string_view HttpRequest::header(std::string_view name) const {
    for (const HeaderField& field : headers) {
        if (field.name == name) {
            return field.value;
        }
    }
    return {};
}

}  // namespace smsrack::wire
