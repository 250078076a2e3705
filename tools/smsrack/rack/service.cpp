#include "tools/smsrack/rack/service.hpp"

#include "tools/smsrack/screen/console.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

struct CodeRow {
    std::string_view code;
    ExitCode exit;
};

constexpr std::array code_rows{
    CodeRow{"bad_request", ExitCode::bad_data},   CodeRow{"bad_number", ExitCode::bad_data},
    CodeRow{"bad_sender", ExitCode::bad_data},    CodeRow{"bad_encoding", ExitCode::bad_data},
    CodeRow{"too_long", ExitCode::bad_data},      CodeRow{"payload_too_large", ExitCode::bad_data},
    CodeRow{"overloaded", ExitCode::try_later},   CodeRow{"queue_full", ExitCode::try_later},
    CodeRow{"cluster_away", ExitCode::try_later}, CodeRow{"unauthorized", ExitCode::not_allowed},
    CodeRow{"forbidden", ExitCode::not_allowed},
};

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

Failure failure_of_reply(const client::HttpReply& reply) {
    const auto problem = wire::parse_json(reply.body);
    if (problem && problem->is_object()) {
        return failure_of_problem(*problem, reply.head.header("retry-after"));
    }
    const ExitCode code = reply.status() == 503                            ? ExitCode::try_later
                          : reply.status() == 401 || reply.status() == 403 ? ExitCode::not_allowed
                                                                           : ExitCode::failed;
    return {.code = code,
            .message = fmt::format("the service answered with status {}", reply.status())};
}

}  // namespace

ExitCode exit_code_of(std::string_view problem_code) {
    const auto row = std::ranges::find(code_rows, problem_code, &CodeRow::code);
    return row == code_rows.end() ? ExitCode::failed : row->exit;
}

Failure failure_of_problem(const wire::Json& problem, std::string_view retry_after) {
    const std::string code = text_of(problem, "code");
    std::string what = text_of(problem, "detail");
    if (what.empty()) {
        what = text_of(problem, "title");
    }
    std::vector<std::string> details;
    if (what.contains('\n')) {
        details = lines_of(what);
        what = fmt::format("{} problems", details.size());
    }
    std::string message = what.empty() ? code : fmt::format("{} ({})", printable(what), code);
    if (!retry_after.empty()) {
        message += fmt::format("; try again in {} s", printable(retry_after));
    }
    return {.code = exit_code_of(code),
            .message = std::move(message),
            .details = std::move(details),
            .problem = code};
}

Service::Service(std::string socket, int stop_fd, std::chrono::milliseconds idle_timeout)
    : socket_(std::move(socket)),
      client_(socket_, {.idle_timeout = idle_timeout, .stop_fd = stop_fd}) {}

Outcome<wire::Json> Service::get(const std::string& target) {
    return call({.target = target});
}

Outcome<wire::Json> Service::post(const std::string& target, const wire::Json& body) {
    return call({.method = "POST",
                 .target = target,
                 .headers = {{"Content-Type", "application/json"}},
                 .body = json_line(body)});
}

Outcome<wire::Json> Service::call(const client::HttpCall& call) {
    const auto reply = client_.call(call);
    if (!reply) {
        return std::unexpected(failure_of(reply.error()));
    }
    if (!reply->ok()) {
        return std::unexpected(failure_of_reply(*reply));
    }
    auto value = wire::parse_json(reply->body);
    if (!value) {
        return failure(
            ExitCode::failed,
            "the service's answer is not JSON; is another program listening on " + socket_ + "?");
    }
    return std::move(*value);
}

Outcome<> Service::stream(const client::HttpCall& call, client::HttpClient::Source source,
                          client::HttpClient::Sink sink) {
    const auto reply = client_.stream(call, std::move(source), std::move(sink));
    if (!reply) {
        return std::unexpected(failure_of(reply.error()));
    }
    if (!reply->ok()) {
        return std::unexpected(failure_of_reply(*reply));
    }
    return ExitCode::done;
}

Failure Service::failure_of(const Error& error) {
    interrupted_ = error.code == Errc::closed && error.detail == EINTR;
    switch (error.code) {
        case Errc::no_device:
            return {.code = ExitCode::unreachable,
                    .message = error.context +
                               "; is smsrackd running? (--socket PATH or SMSRACK_SOCKET names "
                               "another socket)"};
        case Errc::not_allowed:
            return {.code = ExitCode::not_allowed,
                    .message =
                        error.context +
                        "; the group smsrack-api may use the socket: sudo usermod -aG smsrack-api "
                        "ACCOUNT, then log in again"};
        case Errc::timeout:
        case Errc::closed:
            return {.code = interrupted_ ? ExitCode::failed : ExitCode::unreachable,
                    .message = fmt::format("{}: {}", socket_, error.context)};
        default:
            return {.code = ExitCode::failed,
                    .message = fmt::format("{}: {}", socket_, error.context)};
    }
}

}  // namespace smsrack::cli
