#include "src/api/client_name.hpp"

#include "src/ports/client_states.hpp"

namespace smsrack::api {

Result<std::string> client_named(const wire::HttpRequest& request,
                                 std::optional<std::string_view> said) {
    const std::string_view header = request.header("smsrack-client");
    const std::string_view name = said.value_or(header);
    if (said && !header.empty() && *said != header) {
        return fail(Errc::bad_request, "client: not the Smsrack-Client of the header");
    }
    if ((said || !header.empty()) && !ports::is_client_name(name)) {
        return fail(Errc::bad_request,
                    "client: not 1 to 32 of letters, digits, \"_\", \"-\" and \".\"");
    }
    return std::string(name);
}

}  // namespace smsrack::api
