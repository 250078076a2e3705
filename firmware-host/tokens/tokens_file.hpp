/// The tokens of network callers as their file has them; read again when the file changes.
///
/// A file with a fault changes nothing; those that were read before stay valid.
/// Time:    a change counts some milliseconds later, the end of a token at its second.
/// Threads: loop thread.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "firmware-host/tokens/file_watch.hpp"
#include "src/access/token_book.hpp"
#include "src/base/clock.hpp"
#include "src/base/log.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::host {

class TokensFile {
public:
    struct Parts {
        net::Loop& loop;
        const Clock& clock;
        Log& log;
    };

    /// Reads the file. `changed`: called when other tokens count than before. All in `parts`
    /// outlives the object.
    TokensFile(std::string path, const Parts& parts, std::function<void()> changed);

    [[nodiscard]] const access::TokenBook& book() const { return book_; }

    /// As if the file had changed: for one whose folder could not be watched.
    void read_again();

    /// Hashes that count no more, whatever the file says: at the begin, and later.
    void set_revoked(std::vector<std::string> hashes) { book_.set_revoked(std::move(hashes)); }
    void revoke(std::vector<std::string> hashes);
    /// Takes them from this file, now and when it changes.
    void watch_revoked(const std::string& file);

    /// Reports no further change.
    void stop();

private:
    void read();
    void read_revoked();
    void await_end();

    const std::string path_;
    const Parts parts_;
    const std::function<void()> changed_;
    access::TokenBook book_;
    std::unique_ptr<FileWatch> watch_;  // null: its folder can't be watched
    std::string revoked_path_;          // empty: another tells
    std::unique_ptr<FileWatch> revoked_watch_;
    net::LoopWatchPtr end_;  // of the token that ends next
};

}  // namespace smsrack::host
