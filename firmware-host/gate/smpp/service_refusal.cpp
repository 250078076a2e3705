#include "firmware-host/gate/smpp/service_refusal.hpp"

#include "firmware-host/gate/json_text.hpp"

#include <string>

namespace smsrack::gate {

Error refusal_of(const wire::Json& problem) {
    const std::string code = text_at(problem, "code");
    for (int i = 0; i <= static_cast<int>(Errc::internal); ++i) {
        if (errc_name(static_cast<Errc>(i)) == code) {
            return {.code = static_cast<Errc>(i), .context = text_at(problem, "detail")};
        }
    }
    return {.code = Errc::protocol, .context = "the service gave a code that is not known"};
}

Error refusal_of(const ServiceCall::Reply& reply) {
    const auto json = wire::parse_json(reply.body);
    return refusal_of(json && json->is_object() ? *json : wire::Json::object());
}

}  // namespace smsrack::gate
