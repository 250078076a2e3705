#include "tools/smsrack/messages/line_source.hpp"

#include <cerrno>
#include <utility>

namespace smsrack::cli {
namespace {

constexpr std::size_t read_size = std::size_t{64} * 1024;

}  // namespace

LineSource::LineSource(client::UniqueFd fd, std::function<bool(int)> may_read)
    : fd_(std::move(fd)), may_read_(std::move(may_read)) {}

std::optional<NumberedLine> LineSource::next() {
    if (!again_.empty()) {
        NumberedLine line = std::move(again_.back());
        again_.pop_back();
        return line;
    }
    NumberedLine line{.number = number_ + 1};
    bool begun = false;
    bool whole = false;  // its end was read
    for (;;) {
        const auto end = buffer_.find('\n', used_);
        const std::size_t size = (end == std::string::npos ? buffer_.size() : end) - used_;
        begun = begun || size > 0 || end != std::string::npos;
        line.too_long = line.too_long || line.text.size() + size > line_max;
        if (!line.too_long) {
            line.text.append(buffer_, used_, size);
        }
        used_ += size + (end == std::string::npos ? 0 : 1);
        whole = end != std::string::npos;
        if (whole || !fill()) {
            break;
        }
    }
    if (!begun || (stopped_ && !whole)) {
        return {};
    }
    ++number_;
    if (line.text.ends_with('\r')) {
        line.text.pop_back();
    }
    return line;
}

bool LineSource::fill() {
    if (!ended_ && !may_read_(fd_.get())) {
        stopped_ = true;
    }
    if (ended_ || stopped_) {
        ended_ = true;
        return false;
    }
    buffer_.resize(read_size);
    used_ = 0;
    ssize_t count = 0;
    do {
        count = ::read(fd_.get(), buffer_.data(), buffer_.size());
    } while (count < 0 && errno == EINTR);
    error_ = count < 0 ? errno : 0;
    ended_ = count <= 0;
    buffer_.resize(ended_ ? 0 : static_cast<std::size_t>(count));
    position_ += buffer_.size();
    return !ended_;
}

}  // namespace smsrack::cli
