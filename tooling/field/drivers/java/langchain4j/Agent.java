import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An AI service of LangChain4j, with its defaults and an output cap. `Agent responses` speaks OpenAI
 * Responses instead of Chat Completions, `anthropic` Anthropic Messages, `gemini` Gemini; `whole`
 * behind each requests replies that do not stream. No model reads its address from a variable. The
 * documents require that Gemini 3 returns and is sent its thinking, which has the signatures.
 */
public class Agent {
  interface Assistant {
    String answer(String prompt);
  }

  interface StreamingAssistant {
    TokenStream answer(String prompt);
  }

  static class Writer {
    @Tool("Write a text file.")
    String write(String path, String content) throws IOException {
      Files.writeString(Path.of(path), content);
      return "Wrote " + path + ".";
    }
  }

  static final String PROMPT = "Write the file.";
  static final String OPENAI = System.getenv("OPENAI_BASE_URL");
  static final String OPENAI_KEY = System.getenv("OPENAI_API_KEY");
  static final String ANTHROPIC = System.getenv("ANTHROPIC_BASE_URL") + "/v1/";
  static final String ANTHROPIC_KEY = System.getenv("ANTHROPIC_API_KEY");
  static final String GEMINI = System.getenv("GOOGLE_GEMINI_BASE_URL") + "/v1beta";
  static final String GEMINI_KEY = System.getenv("GEMINI_API_KEY");

  static ChatModel whole(String way) {
    return switch (way) {
      case "responses" -> OpenAiResponsesChatModel.builder().baseUrl(OPENAI).apiKey(OPENAI_KEY)
          .modelName("gpt-5.2").maxOutputTokens(1024).build();
      case "anthropic" -> AnthropicChatModel.builder().baseUrl(ANTHROPIC).apiKey(ANTHROPIC_KEY)
          .modelName("claude-sonnet-5-5").maxTokens(1024).build();
      case "gemini" -> GoogleAiGeminiChatModel.builder().baseUrl(GEMINI).apiKey(GEMINI_KEY)
          .modelName("gemini-3-pro").maxOutputTokens(1024).returnThinking(true).sendThinking(true)
          .build();
      default -> OpenAiChatModel.builder().baseUrl(OPENAI).apiKey(OPENAI_KEY)
          .modelName("gpt-5.2").maxCompletionTokens(1024).build();
    };
  }

  static StreamingChatModel streaming(String way) {
    return switch (way) {
      case "responses" -> OpenAiResponsesStreamingChatModel.builder().baseUrl(OPENAI)
          .apiKey(OPENAI_KEY).modelName("gpt-5.2").maxOutputTokens(1024).build();
      case "anthropic" -> AnthropicStreamingChatModel.builder().baseUrl(ANTHROPIC)
          .apiKey(ANTHROPIC_KEY).modelName("claude-sonnet-5-5").maxTokens(1024).build();
      case "gemini" -> GoogleAiGeminiStreamingChatModel.builder().baseUrl(GEMINI)
          .apiKey(GEMINI_KEY).modelName("gemini-3-pro").maxOutputTokens(1024)
          .returnThinking(true).sendThinking(true).build();
      default -> OpenAiStreamingChatModel.builder().baseUrl(OPENAI).apiKey(OPENAI_KEY)
          .modelName("gpt-5.2").maxCompletionTokens(1024).build();
    };
  }

  public static void main(String[] args) {
    List<String> words = Arrays.asList(args);
    String way = words.isEmpty() ? "chat" : words.get(0);
    if (words.contains("whole")) {
      Assistant assistant =
          AiServices.builder(Assistant.class).chatModel(whole(way)).tools(new Writer()).build();
      System.out.println(assistant.answer(PROMPT));
      return;
    }
    StreamingAssistant assistant = AiServices.builder(StreamingAssistant.class)
        .streamingChatModel(streaming(way)).tools(new Writer()).build();
    CompletableFuture<String> done = new CompletableFuture<>();
    assistant.answer(PROMPT).onPartialResponse(System.out::print)
        .onCompleteResponse(response -> done.complete(""))
        .onError(done::completeExceptionally).start();
    done.join();
  }
}
