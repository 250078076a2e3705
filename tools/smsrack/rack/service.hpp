/// The service as a command sees it: calls of the local API, whose refusals become Failures with
/// the right exit code.
///
/// Errors:  unreachable, not_allowed, try_later, bad_data, failed; interrupted calls are `failed` with `interrupted()` true.
/// Source:  docs/man/smsrack.1; docs/api.md.
#pragma once

#include "src/wire/json.hpp"
#include "tools/client/http_client.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>
#include <string_view>

namespace smsrack::cli {

class Service {
public:
    /// `stop_fd`: readable when the command shall end; -1: none. `idle_timeout` as in
    /// client::ClientOptions.
    explicit Service(std::string socket, int stop_fd = -1,
                     std::chrono::milliseconds idle_timeout = std::chrono::seconds(30));

    /// The value that a 2xx answer holds.
    [[nodiscard]] Outcome<wire::Json> get(const std::string& target);
    /// With a body of JSON.
    [[nodiscard]] Outcome<wire::Json> post(const std::string& target, const wire::Json& body);
    [[nodiscard]] Outcome<wire::Json> call(const client::HttpCall& call);

    /// As HttpClient::stream; an answer that is not 2xx is a Failure.
    [[nodiscard]] Outcome<> stream(const client::HttpCall& call, client::HttpClient::Source source,
                                   client::HttpClient::Sink sink);

    /// True where the last call ended by `stop_fd`.
    [[nodiscard]] bool interrupted() const { return interrupted_; }

private:
    [[nodiscard]] Failure failure_of(const Error& error);

    const std::string socket_;
    client::HttpClient client_;
    bool interrupted_ = false;
};

/// What a problem+json (RFC 9457) says, with the exit code that goes with it. `retry_after`: of the
/// answer's head, or empty.
[[nodiscard]] Failure failure_of_problem(const wire::Json& problem, std::string_view retry_after);

/// The code that goes with a problem's `code`.
[[nodiscard]] ExitCode exit_code_of(std::string_view problem_code);

}  // namespace smsrack::cli
