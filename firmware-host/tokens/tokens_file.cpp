#include "firmware-host/tokens/tokens_file.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/access/revoked_tokens.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

namespace smsrack::host {
namespace {

constexpr const char* fault_advice =
    "the tokens that were read before count on; correct the file, or make it again with "
    "`smsrack token`";

}  // namespace

TokensFile::TokensFile(std::string path, const Parts& parts, std::function<void()> changed)
    : path_(std::move(path)), parts_(parts), changed_(std::move(changed)) {
    auto watch = FileWatch::make(path_, parts.loop, [this] { read_again(); });
    if (watch) {
        watch_ = *std::move(watch);
    } else {
        parts.log.warn("tokens_not_watched", {{"detail", watch.error().context},
                                              {"advice",
                                               "changes of the tokens count from the "
                                               "next reload or restart on"}});
    }
    read();
}

void TokensFile::read_again() {
    read();
    if (!revoked_path_.empty()) {
        read_revoked();
    }
    changed_();
}

void TokensFile::revoke(std::vector<std::string> hashes) {
    set_revoked(std::move(hashes));
    changed_();
}

void TokensFile::watch_revoked(const std::string& file) {
    revoked_path_ = file;
    auto watch = FileWatch::make(file, parts_.loop, [this] {
        read_revoked();
        changed_();
    });
    if (watch) {
        revoked_watch_ = *std::move(watch);
    } else {
        parts_.log.warn("revoked_tokens_not_watched",
                        {{"detail", watch.error().context},
                         {"advice", "the service refuses them all the same"}});
    }
    read_revoked();
}

/// Without a file none was revoked; one that can't be read changes nothing.
void TokensFile::read_revoked() {
    const auto text = read_text_file(revoked_path_, access::tokens_bytes_max);
    if (text || text.error().detail == ENOENT) {
        set_revoked(access::revoked_of(text.value_or("")));
    }
}

void TokensFile::stop() {
    watch_.reset();
    revoked_watch_.reset();
    end_.reset();
}

void TokensFile::read() {
    const auto text = read_text_file(path_, access::tokens_bytes_max);
    if (!text && text.error().detail != ENOENT) {
        parts_.log.error("tokens_unreadable",
                         {{"detail", text.error().context}, {"advice", fault_advice}});
        return;
    }
    auto tokens = access::tokens_of(text ? *text : std::string());
    if (!tokens) {
        parts_.log.error("tokens_unreadable", {{"detail", path_ + ": " + tokens.error().context},
                                               {"advice", fault_advice}});
        return;
    }
    parts_.log.info("tokens_read", {{"tokens", tokens->size()}});
    book_.set(*std::move(tokens));
    await_end();
}

/// The wall clock may be set meanwhile, so it is asked again after a minute at most.
void TokensFile::await_end() {
    constexpr std::chrono::milliseconds asked_again = std::chrono::minutes(1);
    const WallTime now = parts_.clock.wall();
    const auto next = book_.next_end(now);
    if (!next) {
        end_.reset();
        return;
    }
    const auto wait = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(*next - now),
                                 std::chrono::milliseconds(1), asked_again);
    end_ = parts_.loop.after(wait, [this] {
        await_end();
        changed_();
    });
}

}  // namespace smsrack::host
