/// A client's request as the gate sends it on to the service.
///
/// Errors:  none: its parts were checked when they were read.
#pragma once

#include "src/wire/http_message.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::gate {

struct ServiceRequest {
    std::string method = {};
    std::string target = {};
    std::vector<wire::HeaderField> headers = {};  ///< without those of its body's length

    /// The head, and the body where there is one.
    [[nodiscard]] std::string with(std::string_view body) const;
    /// The head of one whose body follows in chunks.
    [[nodiscard]] std::string with_chunks() const;
    void set(std::string_view name, std::string value);
};

/// `token`: the hash of the caller's; "-": it has none, so that the service never takes the gate for the caller. Empty:
/// the gate runs as the caller, and the service shall see its account.
[[nodiscard]] ServiceRequest service_request(const wire::HttpRequest& request, std::string token);

/// The answer of the service as the client gets it, with no body yet.
[[nodiscard]] wire::HttpResponse client_response(
    int status, const std::vector<std::pair<std::string, std::string>>& headers);

/// Whether a message has no `ref` of its own, so that the gate may give it one: then it can be sent twice and is accepted once.
/// What is no message may count as one: the service refuses it, with or without.
[[nodiscard]] bool wants_ref(const wire::HttpRequest& request);

}  // namespace smsrack::gate
