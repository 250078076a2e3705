#include "tools/pdu_json/line_filter.hpp"

#include <cerrno>
#include <unistd.h>
#include <vector>

namespace smsrack::tools {
namespace {

// Larger ones gain nothing, and this stays in the cache.
constexpr std::size_t block_octets = 256U << 10U;

/// read(2) that is not stopped by a signal; -1 with errno.
ssize_t read_block(int fd, std::vector<char>& block) {
    ssize_t got = 0;
    do {
        got = ::read(fd, block.data(), block.size());
    } while (got < 0 && errno == EINTR);
    return got;
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t put = ::write(fd, text.data(), text.size());
        if (put > 0) {
            text.remove_prefix(static_cast<std::size_t>(put));
        } else if (put < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

/// Cuts blocks into lines; a line may span many blocks.
class LineCutter {
public:
    LineCutter(LineWorker& worker, int out) : worker_(worker), out_fd_(out) {}

    /// False when writing failed.
    bool take(std::string_view block) {
        for (std::size_t end = block.find('\n'); end != std::string_view::npos;
             end = block.find('\n')) {
            end_line(block.substr(0, end));
            block.remove_prefix(end + 1);
            if (out_.size() >= block_octets && !flush()) {
                return false;
            }
        }
        keep(block);
        return flush();
    }

    bool finish() {
        if (!kept_.empty() || refused_) {
            end_line({});
        }
        return flush();
    }

    [[nodiscard]] bool all_good() const { return all_good_; }

private:
    void keep(std::string_view piece) {
        refused_ = refused_ || kept_.size() + piece.size() > line_octets_max;
        if (refused_) {
            kept_.clear();
        } else {
            kept_ += piece;
        }
    }

    void end_line(std::string_view last_piece) {
        if (kept_.empty() && !refused_) {
            all_good_ = worker_.work(last_piece, out_) && all_good_;
            return;
        }
        keep(last_piece);
        if (refused_) {
            worker_.refuse(out_);
            all_good_ = false;
        } else {
            all_good_ = worker_.work(kept_, out_) && all_good_;
        }
        kept_.clear();
        refused_ = false;
    }

    bool flush() {
        const bool good = write_all(out_fd_, out_);
        out_.clear();
        return good;
    }

    LineWorker& worker_;
    const int out_fd_;
    std::string kept_;      // of a line whose end was not read yet, <= line_octets_max
    std::string out_;       // answers not written yet: a block's worth and one answer
    bool refused_ = false;  // the line whose end was not read yet is too long
    bool all_good_ = true;
};

}  // namespace

Result<bool> filter_lines(int in, int out, LineWorker& worker) {
    LineCutter cutter(worker, out);
    std::vector<char> block(block_octets);
    for (;;) {
        const ssize_t got = read_block(in, block);
        const int read_error = got < 0 ? errno : 0;
        const bool written =
            got > 0 ? cutter.take({block.data(), static_cast<std::size_t>(got)}) : cutter.finish();
        if (!written) {
            return fail(Errc::closed, "standard output", errno);
        }
        if (read_error != 0) {
            return fail(Errc::closed, "standard input", read_error);
        }
        if (got == 0) {
            return cutter.all_good();
        }
    }
}

}  // namespace smsrack::tools
