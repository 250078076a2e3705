#include "firmware-host/token_state.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "firmware-host/system/small_file.hpp"
#include "src/access/revoked_tokens.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace smsrack::host {
namespace {

constexpr mode_t own = 0600;
constexpr mode_t of_gate = 0644;  // the gate has another account
constexpr std::size_t uses_bytes_max = 256UL * 1024;

std::string text_at(const std::string& file, std::size_t bytes_max) {
    return read_text_file(file, bytes_max).value_or(std::string());
}

}  // namespace

TokenState::TokenState(const std::string& state_dir, const std::string& socket, const Parts& parts)
    : revoked_file_(state_dir + "/revoked_tokens"),
      revoked_copy_((std::filesystem::path(socket).parent_path() / access::revoked_name).string()),
      uses_file_(state_dir + "/token_uses"),
      parts_(parts),
      revoked_(access::revoked_of(text_at(revoked_file_, access::tokens_bytes_max))) {
    uses_.read(text_at(uses_file_, uses_bytes_max));
    parts_.tokens.set_revoked(revoked_);
    if (!revoked_.empty()) {  // the folder of the socket is empty after a start of the machine
        (void)write_small_file(revoked_copy_, access::text_of_revoked(revoked_), of_gate,
                               Lasts::usually);
    }
    timer_ = parts_.loop.every(write_period, [this] {
        if (uses_.take_changed()) {
            parts_.files.post([file = uses_file_, text = uses_.text()] {
                (void)write_small_file(file, text, own, Lasts::usually);
            });
        }
    });
}

void TokenState::revoke(const std::string& name, std::move_only_function<void(Result<>)> done) {
    const std::vector<access::Token>& tokens = parts_.tokens.book().all();
    const auto token = std::ranges::find(tokens, name, &access::Token::name);
    if (token == tokens.end()) {
        return done(fail(Errc::not_found, "no token has the name " + name));
    }
    if (std::ranges::find(revoked_, token->hash) == revoked_.end()) {
        // Of those that their file has no more nothing needs to be remembered.
        std::erase_if(revoked_, [&](const std::string& hash) {
            return revoked_.size() >= access::tokens_max &&
                   std::ranges::find(tokens, hash, &access::Token::hash) == tokens.end();
        });
        revoked_.push_back(token->hash);
    }
    parts_.log.warn("token_revoked", {{"token", name}, {"by", "the API"}});
    parts_.tokens.revoke(revoked_);
    parts_.files.post([file = revoked_file_, copy = revoked_copy_,
                       text = access::text_of_revoked(revoked_), &loop = parts_.loop,
                       &log = parts_.log, done = std::move(done)]() mutable {
        Result<> kept = write_small_file(file, text, own, Lasts::for_sure);
        if (const Result<> shown = write_small_file(copy, text, of_gate, Lasts::usually); !shown) {
            log.warn("revoked_token_not_shown",
                     {{"detail", shown.error().context},
                      {"advice", "the gate learns it from the service's refusals alone"}});
        }
        loop.post(
            [kept = std::move(kept), done = std::move(done)]() mutable { done(std::move(kept)); });
    });
}

void TokenState::stop() {
    timer_.reset();
    if (uses_.take_changed()) {
        (void)write_small_file(uses_file_, uses_.text(), own, Lasts::usually);
    }
}

}  // namespace smsrack::host
