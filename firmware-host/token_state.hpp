/// What the service itself remembers of the tokens: those that were revoked by its API, and when each
/// was used last.
///
/// Revoked ones are on the disk before that is answered. Uses are in memory, and in a file a minute
/// later: a power cut loses that minute. The gate may not look into state_dir, so it finds a copy of
/// the revoked hashes, which are worth nothing, next to the socket.
/// Threads: the loop thread; files are written by `files`.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "firmware-host/tokens/tokens_file.hpp"
#include "src/access/token_uses.hpp"
#include "src/base/executor.hpp"
#include "src/base/log.hpp"
#include "src/ports/token_orders.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace smsrack::host {

class TokenState final : public ports::TokenOrders {
public:
    static constexpr std::chrono::minutes write_period{1};

    struct Parts {
        TokensFile& tokens;
        net::Loop& loop;
        Executor& files;
        Log& log;
    };

    /// Reads its files. All in `parts` outlives the object.
    TokenState(const std::string& state_dir, const std::string& socket, const Parts& parts);

    void revoke(const std::string& name, std::move_only_function<void(Result<>)> done) override;
    [[nodiscard]] access::TokenUses& uses() { return uses_; }

    /// Writes what was not written yet; no timer runs any more.
    void stop();

private:
    const std::string revoked_file_;
    const std::string revoked_copy_;
    const std::string uses_file_;
    const Parts parts_;
    std::vector<std::string> revoked_;  // <= tokens_max
    access::TokenUses uses_;
    net::LoopWatchPtr timer_;
};

}  // namespace smsrack::host
