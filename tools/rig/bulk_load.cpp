#include "tools/rig/bulk_load.hpp"

#include "tools/client/http_client.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/usage.hpp"

#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::rig {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t piece_octets = std::size_t{64} * 1024;

/// Counts the lines of the answer: each reports an acceptance or has an "error".
class AnswerCounter {
public:
    void take(std::string_view piece) {
        while (!piece.empty()) {
            const auto end = piece.find('\n');
            if (end == std::string_view::npos) {
                line_ += piece;
                return;
            }
            if (line_.empty()) {
                count(piece.substr(0, end));
            } else {
                line_ += piece.substr(0, end);
                count(line_);
                line_.clear();
            }
            piece.remove_prefix(end + 1);
        }
    }
    [[nodiscard]] std::size_t good() const { return good_; }
    [[nodiscard]] std::size_t bad() const { return bad_; }

private:
    void count(std::string_view line) { ++(line.starts_with("{\"error\"") ? bad_ : good_); }

    std::string line_;  // begun, not ended
    std::size_t good_ = 0;
    std::size_t bad_ = 0;
};

}  // namespace

Result<BulkResult> run_bulk(const BulkPlan& plan, const Interrupt& interrupt) {
    client::HttpClient client(plan.socket.string(), {.stop_fd = interrupt.fd()});
    MessageForm form(plan.run, plan.priority);
    AnswerCounter answers;
    const double cpu_before = own_cpu_seconds();
    const auto started = steady_clock::now();
    std::size_t sent = 0;
    const auto source = [&]() -> std::optional<std::string> {
        std::string piece;
        const bool over = plan.lasting && steady_clock::now() - started >= *plan.lasting;
        while (!over && sent < plan.lines_max && piece.size() < piece_octets) {
            piece += form.line(plan.first_serial + sent);
            ++sent;
        }
        return piece;
    };
    const auto reply = client.stream({.method = "POST",
                                      .target = "/v1/messages",
                                      .headers = {{"Content-Type", "application/x-ndjson"}}},
                                     source, [&](std::string_view piece) {
                                         answers.take(piece);
                                         return true;
                                     });
    if (!reply) {
        return std::unexpected(reply.error());
    }
    if (reply->status() != 200) {
        return fail(Errc::protocol, fmt::format("NDJSON: status {}", reply->status()));
    }
    return BulkResult{
        .accepted = answers.good(),
        .refused = answers.bad(),
        .seconds = std::chrono::duration<double>(steady_clock::now() - started).count(),
        .cpu_seconds = own_cpu_seconds() - cpu_before};
}

}  // namespace smsrack::rig
